"""The mistakes that the lexer and the parser find."""

from __future__ import annotations

from bunraku.errors import Issue

SYNTAX_ERROR = Issue("SYNTAX_ERROR", "Syntax error: unexpected {found}{wanted}")
MISSING_COMMA = Issue(
    "SYNTAX_ERROR",
    "Syntax error: unexpected {found}, expected ',' or '{end}'",
    hint="put a comma before {found}",
)
UNCLOSED_QUOTE = Issue("UNCLOSED_QUOTE", "The string that {opener} opens is never closed")
UNCLOSED_REGEXP = Issue(
    "UNCLOSED_REGEXP",
    "The regular expression has a backslash before its '/' and no other '/' ends it",
    hint="Puppet 3 takes no backslash at the end of a regular expression",
)
UNCLOSED_COMMENT = Issue("UNCLOSED_MLCOMMENT", "The comment that '/*' opens is never closed")
ILLEGAL_BOM = Issue(
    "ILLEGAL_BOM",
    "The text begins with a byte order mark; Puppet code is UTF-8 without one",
    hint="save the file as UTF-8 without BOM",
)
INVALID_UTF8 = Issue("INVALID_UTF8", "Here is a byte ({byte}) that is no UTF-8")
ILLEGAL_NUMBER = Issue("ILLEGAL_NUMBER", "'{value}' is no number")
INVALID_HEX_NUMBER = Issue("INVALID_HEX_NUMBER", "'{value}' is no hexadecimal number")
INVALID_OCTAL_NUMBER = Issue(
    "INVALID_OCTAL_NUMBER", "'{value}' is no octal number, as its leading zero makes it one"
)
INVALID_DECIMAL_NUMBER = Issue("INVALID_DECIMAL_NUMBER", "'{value}' is no decimal number")
NUMBER_TOO_BIG = Issue("NUMBER_TOO_BIG", "'{value}' is beyond what a Float can hold")
ILLEGAL_QUALIFIED_NAME = Issue(
    "ILLEGAL_FULLY_QUALIFIED_NAME", "No name that can be written so follows '::' here"
)
ILLEGAL_QUALIFIED_REFERENCE = Issue(
    "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE",
    "'{value}' is no type name: each part between '::' begins with a capital letter",
)
ILLEGAL_REFERENCE = Issue(
    "ILLEGAL_CLASS_REFERENCE",
    "'{value}' is no type name: each part between '::' begins with a capital letter",
)
ILLEGAL_BARE_WORD = Issue(
    "ILLEGAL_NAME_OR_BARE_WORD",
    "'{value}' is no bare word: it has to begin with a lower case letter",
    hint="put quotes around it",
)
ILLEGAL_UNICODE_ESCAPE = Issue(
    "ILLEGAL_UNICODE_ESCAPE",
    "The Unicode escape '\\u' needs four hex digits, or one to six in braces",
)
IMPOSSIBLE_UNICODE_ESCAPE = Issue(
    "ILLEGAL_UNICODE_ESCAPE", "A '\\u' escape in this string names no character"
)
UNRECOGNIZED_ESCAPE = Issue("UNRECOGNIZED_ESCAPE", "Unrecognized escape sequence '\\{character}'")
HEREDOC_UNCLOSED_PARENTHESIS = Issue(
    "HEREDOC_UNCLOSED_PARENTHESIS", "The heredoc tag that '@(' opens is never closed by ')'"
)
HEREDOC_INVALID_SYNTAX = Issue(
    "HEREDOC_INVALID_SYNTAX", "This is no heredoc tag, which looks like @(end text:syntax/escapes)"
)
HEREDOC_EMPTY_END_TEXT = Issue("HEREDOC_EMPTY_ENDTAG", "The heredoc tag has no end text")
HEREDOC_REPEATED_ESCAPE = Issue(
    "HEREDOC_MULTIPLE_AT_ESCAPES", "The heredoc tag names an escape twice in '{escapes}'"
)
HEREDOC_UNKNOWN_ESCAPE = Issue(
    "HEREDOC_INVALID_ESCAPE", "'{escape}' is no heredoc escape; there are t r n s u L $"
)
HEREDOC_WITHOUT_TEXT = Issue("HEREDOC_WITHOUT_TEXT", "No text follows the line of the heredoc tag")
HEREDOC_WITHOUT_END = Issue(
    "HEREDOC_WITHOUT_END_TAGGED_LINE", "No line ends this heredoc; expected one with '{end_text}'"
)
EPP_UNBALANCED_TAG = Issue("EPP_UNBALANCED_TAG", "The last '<%' of the template has no '%>'")
EPP_UNBALANCED_COMMENT = Issue("EPP_UNBALANCED_COMMENT", "The comment '<%#' has no '%>'")
EPP_UNBALANCED_EXPRESSION = Issue("EPP_UNBALANCED_EXPRESSION", "The template ends right after '<%'")
NESTING_TOO_DEEP = Issue("NESTING_TOO_DEEP", "The code is nested deeper than {limit} levels")
NOT_A_RESOURCE = Issue(
    "NOT_A_RESOURCE",
    "This cannot stand before '{{': it is no resource type, default or reference",
)
RESOURCE_BODY_WITHOUT_TITLE = Issue(
    "RESOURCE_WITHOUT_TITLE", "This resource has no title", hint="write type {{ 'title': … }}"
)
FORM_ON_NON_RESOURCE = Issue(
    "FORM_ON_NON_RESOURCE", "'{form}' can stand before a resource only", hint="remove it"
)
ARGUMENTS_TO_NON_CALL = Issue(
    "ARGUMENTS_TO_NON_CALL", "'{name}' cannot be called without parentheses around its arguments"
)
STRAY_COMMA = Issue("STRAY_COMMA", "A list of values cannot stand here")
FUTURE_WORD = Issue("FUTURE_RESERVED_WORD", "'{word}' will be a keyword in a later Puppet")
CLASS_AS_NAME = Issue("CLASS_AS_NAME", "The keyword 'class' cannot be a name")
QUOTED_NAME = Issue("QUOTED_NAME", "A name is written without quotes here")
