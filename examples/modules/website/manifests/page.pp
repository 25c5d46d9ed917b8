# A page of the website; the title is its name.
define website::page (
  String $content = "Page ${title} of ${facts['networking']['fqdn']}.",
  String $owner   = 'root',
) {
  include website

  file { "${website::root}/${title}.html":
    ensure  => file,
    owner   => $owner,
    content => "<h1>${title.capitalize}</h1>\n<p>${content}</p>\n",
  }
}
