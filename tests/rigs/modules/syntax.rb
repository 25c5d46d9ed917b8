# Describe the syntax of Ruby files as Ruby's own parser reads it, one JSON line for each path read.
# A fact is a line of text with a place; tests/rigs/modules/syntax.py writes the same for bunraku's trees.
require 'json'
require 'ripper'

# Leaves that are in both parsers' trees. A place is line:column, in bytes.
NAMED = %i[@ident @const @ivar @gvar @cvar @backref @int @float @rational @imaginary @kw @label @CHAR].freeze

class Facts
  attr_reader :found

  def initialize(source)
    @found = []
    @bodies = {}
    tokens = Ripper.lex(source)
    here_documents(tokens)
    beginnings(tokens)
    tree = Ripper.sexp(source)
    visit(tree)
  end

  # The lines of here documents; their content stands apart from the code around it.
  def here_documents(tokens)
    waiting = []
    tokens.each do |(line, column), kind, _, _|
      waiting << [line, column] if kind == :on_heredoc_beg
      next unless kind == :on_heredoc_end && !waiting.empty?
      start = waiting.shift
      @found << "heredoc #{start.join(':')} until #{line}" unless @bodies[start[0]]
      (start[0] + 1..line).each { |inside| @bodies[inside] = true }
    end
  end

  BEGINNINGS = {
    on_regexp_beg: 'regex', on_symbeg: 'symbeg', on_comment: 'comment', on_embdoc_beg: 'comment',
    on_qwords_beg: 'string_array', on_words_beg: 'string_array',
    on_qsymbols_beg: 'symbol_array', on_symbols_beg: 'symbol_array'
  }.freeze

  def beginnings(tokens)
    tokens.each do |place, kind, _, _|
      @found << "#{BEGINNINGS[kind]} #{place.join(':')}" if BEGINNINGS.key?(kind) && !@bodies[place[0]]
    end
  end

  def leaf?(node)
    node.is_a?(Array) && node[0].is_a?(Symbol) && node[0].start_with?('@')
  end

  def leaves(node, into = [])
    return into unless node.is_a?(Array)
    if leaf?(node)
      into << node[2] if NAMED.include?(node[0]) && !@bodies[node[2][0]]
    else
      node.each { |child| leaves(child, into) }
    end
    into
  end

  def first(node)
    place(leaves(node).min)
  end

  def last(node)
    place(leaves(node).max)
  end

  def place(pair)
    pair ? pair.join(':') : '-'
  end

  def span(kind, node, extra = nil)
    all = leaves(node)
    return if all.empty?
    @found << [kind, place(all.min), place(all.max), extra].compact.join(' ')
  end

  def visit(node, block = nil)
    return unless node.is_a?(Array)
    return if leaf?(node)
    unless node[0].is_a?(Symbol)
      node.each { |child| visit(child) }
      return
    end
    case node[0]
    when :method_add_block then return called(node[1], node[2])
    when :method_add_arg, :command, :command_call, :call, :fcall, :super, :zsuper then return called(node, nil)
    when :binary then span("binary #{node[2]}", node)
    when :unary then span("unary #{node[1].to_s.sub('not', '!').delete('@')}", node)
    when :hash then span('hash', node, node[1] ? node[1][1].size : 0)
    when :array then span('array', node)
    when :ifop then span('conditional', node)
    when :if_mod, :unless_mod, :while_mod, :until_mod, :rescue_mod then span(node[0], node)
    when :if, :unless, :while, :until, :for then span(node[0], node)
    when :case then span(node[2][0] == :in && !keyword?(node) ? 'match' : 'case', node)
    when :assign, :massign then span('assign', node)
    when :opassign then span("assign #{node[2][1]}", node)
    when :def then span('def', node, node[1][1])
    when :defs then span('defs', node, node[3][1])
    when :class, :module, :sclass then span(node[0], node)
    when :lambda then span('lambda', node)
    when :aref, :aref_field then span('element', node)
    when :dot2, :dot3 then span('range', node)
    when :regexp_literal then span('regexp', node)
    when :xstring_literal then span('command', node)
    end
    node.drop(1).each { |child| visit(child) }
  end

  # Ruby's tree has `value in pattern` and `value => pattern` as a case without a line of its own.
  def keyword?(node)
    node[2][3] || node[2][2]
  end

  # One fact for a call with receiver, arguments and block.
  def called(node, block)
    receiver = name = arguments = nil
    inner = node
    if node[0] == :method_add_arg
      arguments = node[2]
      inner = node[1]
    end
    case inner[0]
    when :command then name, arguments = inner[1], inner[2]
    when :command_call then receiver, name, arguments = inner[1], inner[3], inner[4]
    when :call then receiver, name = inner[1], inner[3]
    when :fcall then name = inner[1]
    when :super then name, arguments = 'super', inner[1]
    when :zsuper then name = 'super'
    else
      visit(inner)
      visit(arguments)
      visit(block)
      return
    end
    return if leaf?(name) && @bodies[name[2][0]]
    text = NAMED.include?(name[0]) ? "#{name[1]} #{place(name[2])}" : (leaf?(name) ? name[1] : name.to_s)
    @found << "call #{text} of #{first(receiver)} #{last(receiver)} with #{count(arguments)} #{first(arguments)} #{last(arguments)} block #{kind(block)} #{last(block)}"
    [receiver, arguments, block].each { |part| visit(part) }
  end

  def kind(block)
    block ? block[0].to_s.sub('_block', '') : 'none'
  end

  def count(arguments)
    return 0 if arguments.nil? || arguments == false
    case arguments[0]
    when :arg_paren then count(arguments[1])
    when :args_add_block then count(arguments[1])
    when :args_add_star then arguments[1].size.zero? ? arguments.size - 2 : count(arguments[1]) + arguments.size - 2
    when :args_forward then 1
    when Symbol then 1
    else arguments.size
    end
  end
end

# What `ruby -c` says about a file.
def mistake(path)
  RubyVM::AbstractSyntaxTree.parse_file(path)
  nil
rescue SyntaxError, ArgumentError => e
  e.message.b.force_encoding('UTF-8').scrub.lines.first.to_s.chomp
end

$stderr.reopen(File::NULL)
$stdout.sync = true
STDIN.each_line do |line|
  path = line.chomp
  source = File.binread(path).force_encoding('UTF-8')
  message = mistake(path)
  facts = message.nil? && ARGV[0] == 'facts' ? Facts.new(source).found : []
  puts JSON.generate('path' => path, 'mistake' => message, 'facts' => facts.map(&:scrub))
end
