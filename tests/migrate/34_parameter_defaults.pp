# The default of a parameter did not see another that has its default.
# rules: parameter-defaults-order at 3
class web($port = '80', $url = "http://localhost:${port}/") {
  notify { "at ${url}": }
}
include web
