module Puppet::Parser::Functions
  newfunction(:old, :type => :rvalue, :arity => -2, :doc => <<-EOT
    An old function.

    @param [String] a the first
    @param b
      the second
    @return [String] it
    @example Call
      old('a')
    EOT
  ) do |args|
    args
  end

  newfunction(:old_inline, :doc => "One line. @return no tag") { |args| 1 }

  newfunction(:old_cut, :type => :rvalue, :doc => <<-EOS) do |args|
    The end of this text is lost.
    EOS
    1
  end

  newfunction(:old_percent, doc: %q{In other
    marks.
      Deeper.
  }) do |args|
    1
  end

  # From the comment.
  # @return [Integer] one
  newfunction(:old_comment, :type => :rvalue) do |args|
    1
  end

  newfunction('old_string', doc: 'With ' + 'code') { |args| 1 }

  newfunction(:old_interpolated, doc: "Before #{1 + 1} after") { |args| 1 }

  newfunction(:old_squiggly, doc: <<~DOC
    Squiggly.

      Deeper.
    @return [Any]
  DOC
  ) { |args| 1 }
end
Puppet::Parser::Functions.newfunction(:dotted, :type => :statement, :doc => '') { |args| 1 }
Puppet::Parser::Functions::newfunction(:colons, :type => :statement) { |args| 1 }
