# Prints the calls in spec files of functions as JSON: [[name, [arguments]], ...].
#
# Only calls with literal arguments count: `with_params('a', { 'b' => [1] })`, below `describe 'name'`. The files are
# parsed and not run.
require 'json'
require 'ripper'

NOT_LITERAL = Object.new

def text_of(content)
  parts = content.is_a?(Array) ? content[1..] || [] : []
  return NOT_LITERAL unless parts.all? { |part| part.is_a?(Array) && part[0] == :@tstring_content }

  parts.map { |part| part[1] }.join
end

def hash_of(pairs)
  found = {}
  (pairs || []).each do |pair|
    return NOT_LITERAL unless pair[0] == :assoc_new

    key = pair[1][0] == :@label ? pair[1][1].chomp(':') : literal(pair[1])
    value = literal(pair[2])
    return NOT_LITERAL if value.equal?(NOT_LITERAL) || !key.is_a?(String)

    found[key] = value
  end
  found
end

def array_of(items)
  found = (items || []).map { |item| literal(item) }
  found.any? { |item| item.equal?(NOT_LITERAL) } ? NOT_LITERAL : found
end

def literal(tree)
  return NOT_LITERAL unless tree.is_a?(Array)

  case tree[0]
  when :string_literal then text_of(tree[1])
  when :@int then Integer(tree[1].delete('_'))
  when :@float then Float(tree[1])
  when :unary then negative(tree)
  when :var_ref then { 'true' => true, 'false' => false, 'nil' => nil }.fetch(tree[1][1], NOT_LITERAL)
  when :symbol_literal then tree[1][1][1] == 'undef' ? nil : NOT_LITERAL
  when :array then array_of(tree[1])
  when :hash then tree[1] ? hash_of(tree[1][1]) : {}
  when :bare_assoc_hash then hash_of(tree[1])
  else NOT_LITERAL
  end
end

def negative(tree)
  number = tree[1] == :-@ ? literal(tree[2]) : NOT_LITERAL
  number.is_a?(Numeric) ? -number : NOT_LITERAL
end

def arguments_of(tree)
  tree = tree[1] while tree && %i[arg_paren args_add_block].include?(tree[0])
  array_of(tree)
end

# The name that `describe 'name'` gives to a spec file.
def described(tree)
  return unless tree.is_a?(Array)

  if tree[0] == :command && tree[1][1] == 'describe' || tree[0] == :command_call && tree[3][1] == 'describe'
    list = tree.last
    first = list[0] == :args_add_block ? list[1][0] : nil
    name = first && literal(first)
    return name if name.is_a?(String)
  end
  tree.each { |part| (found = described(part)) && (return found) }
  nil
end

def each_call(tree, &block)
  return unless tree.is_a?(Array)

  if tree[0] == :method_add_arg && tree[1][0] == :call && tree[1][3].is_a?(Array) && tree[1][3][1] == 'with_params'
    block.call(arguments_of(tree[2]))
  end
  tree.each { |part| each_call(part, &block) }
end

calls = ARGV.flat_map do |path|
  tree = Ripper.sexp(File.read(path, encoding: 'UTF-8').scrub)
  name = described(tree)
  found = []
  each_call(tree) { |arguments| found << [name, arguments] unless arguments.equal?(NOT_LITERAL) } if name
  found
end
puts JSON.generate(calls.uniq)
