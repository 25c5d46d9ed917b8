"""Sites to try bunraku with: nodes in a PuppetDB, and servers with agents in a temporary directory."""
