# Defaults of parameters did not see each other
# rules: parameter-defaults-order at 3
class web($port = '80', $url = "http://localhost:${port}/") {
  notify { "at ${url}": }
}
include web
