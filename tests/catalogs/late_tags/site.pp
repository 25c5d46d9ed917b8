# Tags that a container gets late reach all that the main class contains.
define instance() { notify { "in ${title}": tag => 'own' } }
function tag_main() { tag('late') }

class inner { notify { 'inner': } instance { 'x': } }
class first { contain inner notify { 'first': } tag('after') }
class second { contain inner tag('second_only') }
class outer { contain first contain second tag('last') }
class apart { notify { 'apart': } }
class not_contained { include apart notify { 'n': } tag('own_tag') }

contain outer
node default { contain not_contained tag_main() }
