module PuppetX; module M; TWO = "2"; end; end
