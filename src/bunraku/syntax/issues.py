"""The mistakes that the lexer and the parser find."""

from __future__ import annotations

from bunraku.base.errors import Issue

SYNTAX_ERROR = Issue(
    "SYNTAX_ERROR",
    "Syntax error: unexpected {found}{wanted}",
    words="Syntax error at '{text}'",
    form="parsed",
)
UNEXPECTED_END = Issue(
    "SYNTAX_ERROR",
    "Syntax error: unexpected end of input{wanted}",
    words="Syntax error at end of input",
    form="filed",
)
MISSING_COMMA = Issue(
    "SYNTAX_ERROR",
    "Syntax error: unexpected {found}, expected ',' or '{end}'",
    hint="put a comma before {found}",
    words="Syntax error at '{text}'",
    form="parsed",
)
UNCLOSED_QUOTE = Issue(
    "UNCLOSED_QUOTE",
    "The string opened by {opener} is never closed",
    words="Unclosed quote after {quoted} followed by '{followed}'",
)
UNCLOSED_REGEXP = Issue(
    "UNCLOSED_REGEXP",
    "The regular expression is never closed: its last '/' is escaped by a backslash",
    hint="Puppet 3 does not allow a backslash at the end of a regular expression",
)
UNCLOSED_COMMENT = Issue(
    "UNCLOSED_MLCOMMENT",
    "The comment opened by '/*' is never closed",
    words="Unclosed multiline comment",
)
ILLEGAL_BOM = Issue(
    "ILLEGAL_BOM",
    "The text begins with a byte order mark; Puppet code must be UTF-8 without one",
    hint="save the file as UTF-8 without BOM",
)
INVALID_UTF8 = Issue("INVALID_UTF8", "Invalid UTF-8 byte {byte}")
ILLEGAL_NUMBER = Issue(
    "ILLEGAL_NUMBER", "'{value}' is not a valid number", words="Illegal number '{value}'"
)
INVALID_HEX_NUMBER = Issue(
    "INVALID_HEX_NUMBER",
    "'{value}' is not a valid hexadecimal number",
    words="Not a valid hex number {value}",
)
INVALID_OCTAL_NUMBER = Issue(
    "INVALID_OCTAL_NUMBER",
    "'{value}' is not a valid octal number (a leading zero makes it octal)",
    words="Not a valid octal number {value}",
)
INVALID_DECIMAL_NUMBER = Issue(
    "INVALID_DECIMAL_NUMBER",
    "'{value}' is not a valid decimal number",
    words="Not a valid decimal number {value}",
)
NUMBER_TOO_BIG = Issue("NUMBER_TOO_BIG", "'{value}' is outside the range of Float")
ILLEGAL_QUALIFIED_NAME = Issue(
    "ILLEGAL_FULLY_QUALIFIED_NAME",
    "'::' is not followed by a valid name",
    words="Illegal fully qualified name",
)
ILLEGAL_QUALIFIED_REFERENCE = Issue(
    "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE",
    "'{value}' is not a valid type name: each part between '::' must begin with a capital letter",
    words="Illegal fully qualified class reference",
)
ILLEGAL_REFERENCE = Issue(
    "ILLEGAL_CLASS_REFERENCE",
    "'{value}' is not a valid type name: each part between '::' must begin with a capital letter",
    words="Illegal class reference",
)
ILLEGAL_BARE_WORD = Issue(
    "ILLEGAL_NAME_OR_BARE_WORD",
    "'{value}' is not a valid bare word: it must begin with a lower case letter",
    hint="put it in quotes",
    words="Illegal name or bare word",
)
ILLEGAL_UNICODE_ESCAPE = Issue(
    "ILLEGAL_UNICODE_ESCAPE",
    "The Unicode escape '\\u' requires four hex digits, or one to six in braces",
    words="Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {{}} or was > 10ffff",
)
IMPOSSIBLE_UNICODE_ESCAPE = Issue(
    "ILLEGAL_UNICODE_ESCAPE", "A '\\u' escape in this string is not a valid character"
)
UNRECOGNIZED_ESCAPE = Issue(
    "UNRECOGNIZED_ESCAPE",
    "Unrecognized escape sequence '\\{character}'",
    words="Unrecognized escape sequence '\\{character}'",
)
HEREDOC_UNCLOSED_PARENTHESIS = Issue(
    "HEREDOC_UNCLOSED_PARENTHESIS",
    "The heredoc tag opened by '@(' is never closed by ')'",
    words="Unclosed parenthesis after '@(' followed by '{followed}'",
)
HEREDOC_INVALID_SYNTAX = Issue(
    "HEREDOC_INVALID_SYNTAX",
    "Invalid heredoc tag; expected @(end text:syntax/escapes)",
    words="Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])",
)
HEREDOC_EMPTY_END_TEXT = Issue(
    "HEREDOC_EMPTY_ENDTAG", "The heredoc tag has no end text", words="Heredoc with an empty endtag"
)
HEREDOC_REPEATED_ESCAPE = Issue(
    "HEREDOC_MULTIPLE_AT_ESCAPES",
    "The heredoc tag repeats an escape in '{escapes}'",
    words="An escape char for @() may only appear once. Got '{listed}'",
)
HEREDOC_UNKNOWN_ESCAPE = Issue(
    "HEREDOC_INVALID_ESCAPE",
    "Invalid heredoc escape '{escape}'; valid are t, r, n, s, u, L and $",
    words="Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{escape}'",
)
HEREDOC_WITHOUT_TEXT = Issue(
    "HEREDOC_WITHOUT_TEXT",
    "No text follows the line of the heredoc tag",
    words="Heredoc without any following lines of text",
)
HEREDOC_WITHOUT_END = Issue(
    "HEREDOC_WITHOUT_END_TAGGED_LINE",
    "The heredoc is never closed; expected a line with '{end_text}'",
    words="Heredoc without end-tagged line",
)
EPP_UNBALANCED_TAG = Issue(
    "EPP_UNBALANCED_TAG",
    "The last '<%' of the template has no '%>'",
    words="Unbalanced epp tag, reached <eof> without closing tag.",
)
EPP_UNBALANCED_COMMENT = Issue(
    "EPP_UNBALANCED_COMMENT",
    "The comment opened by '<%#' has no '%>'",
    words="Reaching end after opening <%# without seeing %>",
)
EPP_UNBALANCED_EXPRESSION = Issue(
    "EPP_UNBALANCED_EXPRESSION",
    "The template ends right after '<%'",
    words="Unbalanced embedded expression - opening <% and reaching end of input",
)
NESTING_TOO_DEEP = Issue.own("NESTING_TOO_DEEP", "The code is nested deeper than {limit} levels")
NOT_A_RESOURCE = Issue(
    "NOT_A_RESOURCE",
    "'{{' must follow a resource type, a resource default or a resource reference",
    words="Expression is not valid as a resource, resource-default, or resource-override",
)
RESOURCE_BODY_WITHOUT_TITLE = Issue(
    "RESOURCE_WITHOUT_TITLE",
    "This resource has no title",
    hint="write type {{ 'title': … }}",
    words="This expression is invalid. Did you try declaring a '{name}' resource without a title?",
)
FORM_ON_NON_RESOURCE = Issue(
    "FORM_ON_NON_RESOURCE",
    "'{form}' is only allowed before a resource",
    hint="remove it",
    words="{kind} can only be applied to a Resource Expression",
)
ARGUMENTS_TO_NON_CALL = Issue(
    "ARGUMENTS_TO_NON_CALL",
    "'{name}' cannot be called without parentheses around its arguments",
    words="attempt to pass argument list to the function '{name}' which cannot be called without parentheses",
)
STRAY_COMMA = Issue(
    "STRAY_COMMA",
    "A comma-separated list is not allowed here",
    words="illegal comma separated argument list",
)
FUTURE_WORD = Issue(
    "FUTURE_RESERVED_WORD",
    "'{word}' will be a keyword in a later version of Puppet",
    words="Use of future reserved word: '{word}'",
)
CLASS_AS_NAME = Issue(
    "CLASS_AS_NAME",
    "The keyword 'class' cannot be a name",
    words="'class' keyword not allowed at this location",
)
QUOTED_NAME = Issue(
    "QUOTED_NAME",
    "Quotes are not allowed around this name",
    words="A quoted string is not valid as a name here",
)
