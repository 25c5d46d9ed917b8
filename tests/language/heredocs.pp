# Heredocs, as the reference text for 5.5 and later states them (seeds/4, S4-34 to S4-85; form B14).

## S4-34 a heredoc controls quotes, escapes and margin
$x = @("END"/n)
  "quoted" 'too' a\nb ${1 + 1}
  | END
assert($x == "\"quoted\" 'too' a\nb 2\n")

## S4-35 a file of settings
$displayname = 'Jane'
$email = 'jane@example.com'
$x = @("GITCONFIG"/L)
    [user]
        name = ${displayname}
        email = ${email}
    [alias]
        lg = "log --pretty=format:'%C(yellow)%h%C(reset)%s \
    %C(cyan)%cr%C(reset)' --graph"
    | GITCONFIG
assert($x == "[user]\n    name = Jane\n    email = jane@example.com\n[alias]\n    lg = \"log --pretty=format:'%C(yellow)%h%C(reset)%s %C(cyan)%cr%C(reset)' --graph\"\n")

## S4-36 the tag stands for the text
$x = [@(A), 2]
text
A
assert($x == ["text\n", 2])

## S4-37 the general form
$x = @("ENDTEXT"/tn)
  a\tb
  | ENDTEXT
assert($x == "a\tb\n")

## S4-38 a tag stands wherever a string may
function s438($a, $b) { "${a}-${b}" }
$x = s438(@(A), 'b')
  text
  |- A
assert($x == 'text-b')
notify { 'n': message => @(M) }
  message
  |- M
#= Notify[n] {"message": "message"}

## S4-38 a tag as the key of a hash
$h = { @(K) => 1 }
  key
  |- K
assert($h['key'] == 1)

## S4-39 blanks in a tag do not count
$x = @( END )
  a
  | END
assert($x == "a\n")

## S4-40 a tag holds the end text
$x = @() #! HEREDOC_INVALID_SYNTAX
  a

## S4-41 a quoted end text interpolates
$n = 1
$x = @("END")
  ${n}
  |- END
assert($x == '1')

## S4-42 S4-44 switches allow escapes
$x = @(END/t)
  a\tb\n
  |- END
assert($x == "a\tb\\n")

## S4-43 a text of several lines
$x = @(END)
one
two

three
END
assert($x == "one\ntwo\n\nthree\n")

## S4-45 the marker stands alone in its line
$x = @(END)
  END of text
  | END
assert($x == "END of text\n")

## S4-46 blanks around the hyphen do not count
$x = [@(A), @(B), @(C)]
a
  |-A
b
  | - B
c
  -C
assert($x == ['a', 'b', 'c'])

## S4-47 heredocs are read in their order
$x = { 'one' => @(ONE), 'two' => @(TWO) }
  first
  |- ONE
  second
  |- TWO
assert($x == { 'one' => 'first', 'two' => 'second' })
assert(true)

## S4-48 a heredoc without its end is an error
$x = @(END)
  text #! HEREDOC_WITHOUT_END_TAGGED_LINE

## S4-49 the end text is matched with its case
$x = @(End)
  text #! HEREDOC_WITHOUT_END_TAGGED_LINE
  | END

## S4-50 end texts may have blanks
$x = @(End of it)
  a
  | End of it
assert($x == "a\n")

## S4-51 the end text EOT
$x = @(EOT)
  a
  | EOT
assert($x == "a\n")

## S4-52 an end text of dots
$x = @(...end...end...)
  a
  | ...end...end...
assert($x == "a\n")

## S4-53 an end text of a verse
$x = @(Verse 8 of The Raven)
  Then this ebony bird
  | Verse 8 of The Raven
assert($x == "Then this ebony bird\n")

## S4-54 without quotes nothing is interpolated
$n = 1
$x = @(EOT)
  ${n} $n
  |- EOT
assert($x == '${n} $n')

## S4-55 with quotes variables are interpolated
$n = 1
$x = @("EOT")
  ${n} $n
  |- EOT
assert($x == '1 1')

## S4-56 a literal dollar by its switch
$n = 1
$x = @("EOT"/$)
  \$n ${n}
  |- EOT
assert($x == '$n 1')

## S4-57 by default there are no escapes
$x = @(EOT)
  a\tb\\c\$d
  |- EOT
assert($x == 'a\tb\\\\c\$d')

## S4-58 single switches
$n = 1
$x = @("EOT"/$n)
  \$x\n${n}\t
  |- EOT
assert($x == "\$x\n1\\t")

## S4-59 all switches
$n = 1
$x = @("EOT"/)
  a\tb\r\n\s\$x\u0041\
  ${n}
  |- EOT
assert($x == "a\tb\r\n \$xA1")

## S4-60 with any switch a backslash is escaped by another
$x = @(EOT/t)
  a\\tb
  |- EOT
assert($x == 'a\tb')

## S4-61 switch n
$x = @(EOT/n)
  a\nb
  |- EOT
assert($x == "a\nb")

## S4-62 switch r
$x = @(EOT/r)
  a\rb
  |- EOT
assert($x == "a\rb")

## S4-63 switch t
$x = @(EOT/t)
  a\tb
  |- EOT
assert($x == "a\tb")

## S4-64 switch s
$x = @(EOT/s)
  a\sb
  |- EOT
assert($x == 'a b')

## S4-65 switch dollar
$x = @("EOT"/$)
  \${x}
  |- EOT
assert($x == '${x}')

## S4-66 switch u
$x = @(EOT/u)
  \u00e9 \u{1F600}
  |- EOT
assert($x == 'é 😀')

## S4-67 switch L
$x = @(EOT/L)
  one \
  two
  |- EOT
assert($x == 'one two')

## S4-68 other switches are errors
$x = @(EOT/x) #! HEREDOC_INVALID_ESCAPE
  a
  | EOT

## S4-68 a switch stands once
$x = @(EOT/tt) #! HEREDOC_MULTIPLE_AT_ESCAPES
  a
  | EOT

## S4-69 other backslashes stay, without a warning
$x = @(EOT/t)
  \q\d
  |- EOT
assert($x == '\q\d')

## S4-70 a double backslash is four
$x = @(EOT/n)
  \\\\
  |- EOT
assert($x == '\\\\')

## S4-71 the syntax of Puppet is looked at
$x = @(END:pp)
  $a = 1 + 1
  |- END
assert($x == '$a = 1 + 1')

## S4-72 the syntax of EPP is looked at
$x = @(END:epp)
  <%= $a %>
  |- END
assert($x == '<%= $a %>')

## S4-73 the syntax of JSON is looked at
$x = @(END:json)
  { "a": [1, true, null] }
  |- END
assert($x == '{ "a": [1, true, null] }')

## S4-74 text of wrong syntax is an error
$x = @(END:pp)
  $a = #! ILLEGAL_PP
  |- END

## S4-74 interpolated text is not looked at
$n = '}'
$x = @("END":json)
  { "a": ${n}
  |- END
assert($x == '{ "a": }')

## S4-75 other syntaxes are taken on trust
$x = @(END:yaml)
  { [
  |- END
assert($x == '{ [')

## S4-76 by default a heredoc is text
$x = @(END)
  { [ "
  |- END
assert($x == '{ [ "')

## S4-77 the margin is cut
$x = @(END)
    one
    two
    | END
assert($x == "one\ntwo\n")

## S4-78 a line left of the margin stays as it is
$x = @(END)
    one
  two
    | END
assert($x == "one\n  two\n")

## S4-79 what is right of the margin stays
$x = @(END)
  one
    two
  | END
assert($x == "one\n  two\n")

## S4-80 tabs are not converted
$x = @(END)
	one
	| END
assert($x == "one\n")

## S4-81 a backslash joins lines
$x = @(END/L)
  one\
  two\
   three
  | END
assert($x == "onetwo three\n")

## S4-82 joined lines read as one
$x = @(END/L)
  lg = "log --pretty=format:'%h' \
  --graph"
  |- END
assert($x == 'lg = "log --pretty=format:\'%h\' --graph"')

## S4-83 a heredoc ends with a line break
$x = @(END)
  a
  | END
assert($x == "a\n")

## S4-84 a hyphen cuts the last line break
$x = @(END)
a
- END
assert($x == 'a')

## S4-85 a pipe and a hyphen
$x = @(EOT)
  This text
  |-EOT
assert($x == 'This text')

## B14 an empty heredoc
$x = @(END)
  | END
assert($x == '')

## B14 a heredoc in a call with a method behind
$x = @(END).upcase
  a
  |- END
assert($x == 'A')

## B14 code goes on behind the last end marker
$a = @(A) $b = @(B)
  a
  |- A
  b
  |- B
assert("${a}${b}" == 'ab')
