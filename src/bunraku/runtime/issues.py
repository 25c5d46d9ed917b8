"""Errors of running a manifest; the codes are Puppet's if it has one."""

from __future__ import annotations

from functools import partial

from bunraku.base.errors import Issue

not_applicable = partial(Issue.general, "OPERATOR_NOT_APPLICABLE_WHEN")

# -- calls -----------------------------------------------------------------------------------------
WRONG_ARGUMENT_COUNT = Issue("ILLEGAL_ARGUMENT_COUNT", "'{name}' {problem}")
WRONG_COUNT_OF_LAMBDA = Issue(
    WRONG_ARGUMENT_COUNT.code, WRONG_ARGUMENT_COUNT.text, words="block {problem}"
)
ILLEGAL_ARGUMENT = Issue.general("TYPE_MISMATCH", "{mismatch}")
WRONG_RESULT = Issue.general("TYPE_MISMATCH", "{mismatch}", words="{words}")
UNEXPECTED_BLOCK = Issue.general("TYPE_MISMATCH", "'{name}' does not expect a block")
UNKNOWN_FUNCTION = Issue(
    "UNKNOWN_FUNCTION", "Unknown function: '{name}'", words="Unknown function: '{name}'."
)
UNKNOWN_CALLED_FUNCTION = Issue.general(
    "UNKNOWN_FUNCTION", "Unknown function: '{name}'", words="Unknown function '{name}'"
)
REQUIRED_AFTER_OPTIONAL = Issue(
    "REQUIRED_PARAMETER_AFTER_OPTIONAL",
    "Required parameter ${name} follows optional parameters",
    hint="give it a default value or move it to the front",
    words="Parameter ${name} is required but appears after optional parameters",
)
INVALID_TYPE = Issue.general(
    "INVALID_TYPE_SPECIFICATION",
    "The expression <{text}> is not a valid type specification",
    hint="a type alias can contain literals and types, but no variables, calls or operators",
)
ILLEGAL_CONTROL = Issue(
    "ILLEGAL_CONTROL", "{name}() from context where this is illegal", form="placed"
)
TOO_MANY_RESOURCES = Issue.own(
    "TOO_MANY_RESOURCES",
    "More than {limit} resources",
    hint="look for a defined type that declares itself endlessly",
)
RECURSION = Issue.own(
    "STACK_LEVEL_TOO_DEEP",
    "The calls are nested too deeply",
    hint="look for a function, class or defined type that calls itself endlessly",
)

# -- variables -------------------------------------------------------------------------------------
UNKNOWN_VARIABLE = Issue(
    "UNKNOWN_VARIABLE", "Unknown variable: '{name}'", words="Unknown variable: '{name}'."
)
UNDEFINED_VARIABLE = Issue(
    "UNKNOWN_VARIABLE",
    "Undefined variable '{name}'{reason}",
    hint="set the variable, or declare the class that has it before the template is rendered",
)
ILLEGAL_REASSIGNMENT = Issue("ILLEGAL_REASSIGNMENT", "Cannot reassign variable '${name}'")
BUILT_IN_REASSIGNMENT = Issue(
    "ILLEGAL_REASSIGNMENT",
    "Cannot reassign variable '${name}'",
    words="Cannot reassign built in (or already assigned) variable '${name}'",
)
ILLEGAL_RESERVED_ASSIGNMENT = Issue(
    "ILLEGAL_RESERVED_ASSIGNMENT", "Attempt to assign to a reserved variable name: '${name}'"
)
MULTI_ASSIGNMENT_SIZE = Issue(
    "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
    "Mismatched number of assignable entries and values, expected {expected}, got {actual}",
)
MISSING_MULTI_ASSIGNMENT_KEY = Issue(
    "MISSING_MULTI_ASSIGNMENT_KEY",
    "No value for required key '{key}' in assignment from a Hash",
    words="No value for required key '{key}' in assignment to variables from hash",
)
MISSING_MULTI_ASSIGNMENT_VARIABLE = Issue(
    "MISSING_MULTI_ASSIGNMENT_VARIABLE",
    "No value for required variable '${name}' in assignment",
    words="No value for required variable '${name}' in assignment to variables from class reference",
)

# -- operators -------------------------------------------------------------------------------------
NOT_NUMERIC = Issue(
    "NOT_NUMERIC",
    "The value '{value}' cannot be converted to Numeric",
    words="The value '{value}' cannot be converted to Numeric.",
)
NUMERIC_COERCION = Issue(
    "NUMERIC_COERCION",
    "The string '{before}' was automatically coerced to the numerical value {after}",
    hint="convert first, for example Integer($x)",
)
NUMERIC_OVERFLOW = Issue(
    "NUMERIC_OVERFLOW",
    "A '{operator}' expression resulted in a value outside of the Integer range: {value}",
    words="A '{operator}' expression resulted in a value outside of Puppet Integer {limit} range, got '{value}'",
)
DIV_BY_ZERO = Issue("DIV_BY_ZERO", "Division by 0")
RESULT_IS_INFINITY = Issue(
    "RESULT_IS_INFINITY", "The result of the {operator} expression is Infinity"
)
OPERATOR_NOT_APPLICABLE = Issue(
    "OPERATOR_NOT_APPLICABLE",
    "Operator '{operator}' is not applicable to {left}",
    words="Operator '{operator}' is not applicable to {left}.",
)
APPEND_TO_HASH = not_applicable(
    "Cannot add {right} to a Hash; expected a Hash, or an Array that can be converted to one",
    words="{problem}",
)
COMPARISON_NOT_POSSIBLE = Issue(
    "COMPARISON_NOT_POSSIBLE",
    "Comparison of: {left} {operator} {right}, is not possible",
    words="Comparison of: {left_kind} {operator} {right_kind}, is not possible. Caused by '{cause}'.",
)
MATCH_NOT_STRING = Issue(
    "MATCH_NOT_STRING",
    "Left match operand must result in a String value. Got {left}",
    words="Left match operand must result in a String value. Got {left}.",
)
MATCH_NOT_REGEXP = Issue(
    "MATCH_NOT_REGEXP",
    "Can not convert right match operand to a regular expression: {detail}",
    words="Can not convert right match operand to a regular expression. Caused by '{detail}'.",
)
UNMATCHED_SELECTOR = Issue(
    "UNMATCHED_SELECTOR", "No matching entry for selector parameter with value '{value}'"
)
BAD_STRING_SLICE_ARITY = Issue(
    "BAD_STRING_SLICE_ARITY",
    "A String takes one or two indexes, got {count}",
    words="String supports [] with one or two arguments. Got {count}",
)
BAD_STRING_SLICE_TYPE = Issue(
    "BAD_STRING_SLICE_KEY_TYPE",
    "The index of a String must be an Integer, got {kind}",
    words="A substring operation does not accept {kind} as a character index. Expected an Integer",
)
BAD_ARRAY_SLICE_ARITY = Issue(
    "BAD_ARRAY_SLICE_ARITY",
    "An Array takes one or two indexes, got {count}",
    words="Array supports [] with one or two arguments. Got {count}",
)
BAD_SLICE_KEY_TYPE = Issue(
    "BAD_SLICE_KEY_TYPE", "The index of an Array must be an Integer, got {kind}"
)
EMPTY_SLICE = Issue(
    "BAD_HASH_SLICE_ARITY",
    "A Hash takes at least one key",
    words="Hash supports [] with one or more arguments. Got 0",
)
UNKNOWN_RESOURCE_PARAMETER = Issue(
    "UNKNOWN_RESOURCE_PARAMETER",
    "The resource {reference} does not have a parameter called '{name}'",
    words="The resource {quoted} does not have a parameter called '{name}'",
)
UNKNOWN_RESOURCE = Issue(
    "UNKNOWN_RESOURCE", "Resource not found: {reference}", words="Resource not found: {quoted}"
)

# -- definitions and resources ---------------------------------------------------------------------
UNKNOWN_CLASS = Issue("UNKNOWN_CLASS", "Could not find class {name} for {node}")
UNKNOWN_NODE_CLASS = Issue("UNKNOWN_CLASS", UNKNOWN_CLASS.text, form="unplaced")
UNKNOWN_DECLARED_CLASS = Issue("UNKNOWN_CLASS", "Could not find declared class {name}")
ITERATOR_VALUE = Issue.general(
    "ILLEGAL_ITERATOR",
    "An attribute of a resource cannot be an Iterator",
    hint="make an array of it with Array()",
    words="Use of an Iterator is not supported here",
)
UNKNOWN_RESOURCE_TYPE = Issue("UNKNOWN_RESOURCE_TYPE", "Resource type not found: {name}")
UNKNOWN_COLLECTED_TYPE = Issue.general(
    "UNKNOWN_RESOURCE_TYPE",
    "Resource type not found: {name}",
    words="Resource type {name} doesn't exist",
)
UNKNOWN_TYPE_IN_STATEMENT = Issue.general(
    "UNKNOWN_RESOURCE_TYPE", "Unknown resource type: '{name}'"
)
ILLEGAL_RESOURCE_TYPE = Issue(
    "ILLEGAL_RESOURCE_TYPE",
    "Illegal Resource Type expression, expected a type name or a Resource without title, got {got}",
    words="Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {type}",
)
OVERRIDE_WITHOUT_TITLE = Issue.general(
    "ILLEGAL_OVERRIDDEN_TYPE",
    "An override needs a resource, for example File['/a']; {type} has no title",
)
MISSING_TITLE = Issue("MISSING_TITLE", "Missing title. The title expression resulted in undef")
MISSING_TITLE_AT = Issue(
    "MISSING_TITLE_AT",
    "Missing title at index {index}. The title expression resulted in undef",
    words="Missing title at index {index}. The title expression resulted in an undef title",
)
EMPTY_STRING_TITLE_AT = Issue(
    "EMPTY_STRING_TITLE_AT",
    "Empty string title at {index}; a title has at least one character",
    words="Empty string title at {index}. Title strings must have a length greater than zero.",
)
ILLEGAL_TITLE_TYPE_AT = Issue(
    "ILLEGAL_TITLE_TYPE_AT",
    "Illegal title type at index {index}. Expected String, got {kind}",
    words="Illegal title type at index {index}. Expected String, got {bare_kind}",
)
DUPLICATE_TITLE = Issue(
    "DUPLICATE_TITLE", "The title '{title}' has already been used in this resource expression"
)
DUPLICATE_ATTRIBUTE = Issue("DUPLICATE_ATTRIBUE", "The attribute '{name}' has already been set")
NOT_A_HASH = Issue(
    "TYPE_MISMATCH",
    "Expected value of type Hash, got {kind}",
    words="Expected value of type Hash, got {bare_kind}",
)
ILLEGAL_CLASS_FORM = Issue(
    "CLASS_NOT_VIRTUALIZABLE",
    "A class cannot be virtual or exported",
    words="Classes are not virtualizable",
)
DUPLICATE_DECLARATION = Issue(
    "DUPLICATE_DECLARATION",
    "Duplicate declaration: {reference} is already declared{place}; cannot redeclare",
    words="Duplicate declaration: {reference} is already declared{place}; cannot redeclare{here}",
)
DUPLICATE_ENTITY = Issue.general(
    "DUPLICATE_DEFINITION", "{kind} '{name}' is already defined{place}; cannot redefine"
)
DUPLICATE_DEFINITION = Issue(
    "DUPLICATE_DEFINITION",
    DUPLICATE_ENTITY.text,
    words="{kind} '{name}' is already defined{first}; cannot redefine",
    form="placed",
)
OTHER_DEFINITION = Issue(
    "DUPLICATE_DEFINITION",
    DUPLICATE_ENTITY.text,
    words="{kind} '{name}' is already defined{first}; cannot be redefined as a {new_kind}",
    form="placed",
)
DEFINED_AS_CLASS = Issue(
    "DUPLICATE_DEFINITION",
    DUPLICATE_ENTITY.text,
    words="'{name}' is already defined{first} as a class; cannot redefine as a definition",
    form="placed",
)
SETTINGS_IS_A_CLASS = Issue.general(
    "DUPLICATE_DEFINITION",
    "A {kind} cannot be named 'settings': it is the name of a class that every catalog has",
)
UNKNOWN_PARAMETER = Issue(
    "UNKNOWN_PARAMETER",
    "no parameter named '{name}' on {reference}",
    words="no parameter named '{name}'{here} on {reference}",
    form="placed",
)
PARAMETERS = Issue.general("INVALID_PARAMETERS", "{mismatch}")
CANNOT_OVERRIDE = Issue(
    "PARAMETER_ALREADY_SET",
    "Parameter '{name}' is already set on {reference}{place}; cannot redefine",
    form="placed",
)
OVERRIDE_NOT_FOUND = Issue(
    "OVERRIDE_NOT_FOUND",
    "Could not find resource(s) {references} for overriding",
    form="unplaced",
)
NOT_REALIZED = Issue(
    "NOT_REALIZED", "Failed to realize virtual resources {references}", form="unplaced"
)
RELATION_TARGET_MISSING = Issue(
    "MISSING_DEPENDENCY",
    "Could not find resource '{target}' in parameter '{name}' of {reference}",
    words="Could not find resource '{target}' in parameter '{name}'",
    form="placed",
)
RELATION_END_MISSING = Issue(
    "MISSING_DEPENDENCY",
    "Could not find resource '{missing}' for relationship {preposition} '{other}'",
    form="unplaced",
)
ILLEGAL_RELATION = Issue(
    "ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
    "{value} cannot form a relationship; expected resources",
    words="Illegal relationship operand, can not form a relationship with {value}."
    " A Catalog type is required.",
)
INVALID_TAG = Issue("INVALID_TAG", "Invalid tag '{tag}'", form="placed")
STAGE_ON_RESOURCE = Issue.general(
    "STAGE_NOT_ALLOWED",
    "Only classes can set 'stage'; normal resources like {reference} cannot change run stage",
)
UNKNOWN_STAGE = Issue.general(
    "UNKNOWN_STAGE", "Could not find stage {stage} specified by {reference}"
)
ALIAS_TAKEN = Issue(
    "ALIAS_TAKEN",
    "Cannot alias {reference} to {alias}: {other} is already declared{place}",
    words="Cannot alias {reference} to {key} at{here}; resource {entry} already declared{there}",
)
DEPENDENCY_CYCLE = Issue(
    "DEPENDENCY_CYCLE",
    "Found 1 dependency cycle: {path}",
    hint="remove one of these relationships; the agent refuses this catalog",
)
NO_NODE = Issue(
    "NODE_NOT_FOUND",
    "No node definition matches '{names}', and there is no default node",
    words="Could not find node statement with name 'default' or '{names}'",
    form="unplaced",
)
EXPORT_IGNORED = Issue(
    "RT_NO_STORECONFIGS_EXPORT",
    "You cannot collect exported resources without storeconfigs being set; the export is ignored",
)
COLLECTED_TWICE = Issue(
    "COLLECTED_TWICE",
    "Cannot collect {reference} exported by {node}: it is already declared{place}",
)
COLLECT_IGNORED = Issue(
    "RT_NO_STORECONFIGS",
    "You cannot collect exported resources without storeconfigs being set;"
    " the collection will be ignored",
)
INHERITANCE_CYCLE = Issue.general(
    "INHERITANCE_CYCLE", "Class {name} inherits from itself through {path}"
)
PARENT_NOT_FOUND = Issue(
    "UNKNOWN_CLASS",
    "Could not find class {parent}, the parent of {name}",
    words="Could not find parent resource type '::{parent}' of type hostclass in {environment}",
    form="placed",
)
COLLECT_CLASS = Issue.general("CLASS_NOT_VIRTUALIZABLE", "Classes cannot be collected")
NON_COLLECTIBLE_TYPE = Issue("UNSUPPORTED_QUERY", "Unsupported query in a collector")
GENERATION_LIMIT = Issue.general(
    "GENERATION_LIMIT",
    "Somehow looped more than {limit} times while evaluating collectors and defines",
)
TEMPLATE_NOT_FOUND = Issue.general("TEMPLATE_NOT_FOUND", "Could not find template '{name}'")
TYPE_SET_NOT_FOUND = Issue.general(
    "UNKNOWN_TYPE_SET",
    "Could not find TypeSet {other} in version {range}, which TypeSet {name} refers to",
    words="{problem}",
)
ALIAS_NOT_A_TYPE = Issue.general(
    "INVALID_TYPE_ALIAS", "The right side of type alias {name} is not a type"
)
ALIAS_OF_ITSELF = Issue.general(
    "RECURSIVE_TYPE_ALIAS",
    "Type alias {name} only refers to itself",
    words="Type alias '{name}' cannot be resolved to a real type",
)
ALIAS_OF_NOTHING = Issue(
    "RECURSIVE_TYPE_ALIAS", "Type alias '{name}' cannot be resolved to a real type"
)
OBJECT_OF_ITSELF = Issue.general(
    "INVALID_OBJECT_TYPE", "The Object type {name} inherits from itself"
)
DEFAULT_ALREADY_SET = Issue(
    "DEFAULT_ALREADY_SET",
    "Default already defined for {type} {{ {name} }}; cannot redefine",
    form="placed",
)
ILLEGAL_OVERRIDDEN_TYPE = Issue(
    "ILLEGAL_OVERRIDDEN_TYPE",
    "Only resource references can be overridden, got {got}",
    words="Resource Override can only operate on resources, got: {label}",
)
ONLY_SUBCLASSES = Issue(
    "OVERRIDE_NOT_ALLOWED",
    "Only subclasses can override parameters; {reference} belongs to another class",
    words="Only subclasses can override parameters",
    form="placed",
)
ALREADY_EVALUATED = Issue.general(
    "OVERRIDE_TOO_LATE", "Attempt to override an already evaluated resource, {reference}{place}"
)
CACHE_NOT_USED = Issue(
    "CACHE_NOT_USED",
    "The cache on disk is not used: {reason}",
    hint="`bunraku cache show` prints the directory; set XDG_CACHE_HOME to use another one",
)
UNREADABLE_FILE = Issue("UNREADABLE_FILE", "Could not read {path}: {reason}")
NUMERIC_PARAMETER = Issue.general(
    "ILLEGAL_NUMERIC_PARAMETER",
    "Cannot set the parameter ${name}: it is the name of a match variable",
)
IMPORT_LOOP = Issue.general("IMPORT_LOOP", "{path} imports itself")
UNKNOWN_LANGUAGE = Issue(
    "UNKNOWN_LANGUAGE",
    "Language {language} with --follow {follow} is not supported",
    hint="valid languages: 9, 8, 3.8, 3.8-future, 3.0; each with --follow puppet or documents",
)
PARAMETER_NOT_EVALUATED = Issue("PARAMETER_NOT_EVALUATED", "${name}")
NO_VALUE = Issue.general("MISSING_PARAMETER", "{reference}: expects a value for parameter {name}")
EARLY_ACCESS = Issue.general(
    "EARLY_ACCESS",
    "{reference}: the default of ${name} illegally accesses {other}, which has no value yet",
    words="{reference}: default expression for ${name} tries to illegally access not yet evaluated {other}",
)
NOT_A_REFERENCE = Issue(
    "INVALID_REFERENCE",
    "'{text}' in parameter '{name}' of {reference} is not a resource reference",
    words='No title provided and "{text}" is not a valid resource reference',
    form="placed",
)
OPERATOR_NOT_APPLICABLE_WHEN = Issue(
    "OPERATOR_NOT_APPLICABLE_WHEN",
    "Operator '{operator}' is not applicable to {left} when right side is {right}",
    words="Operator '{operator}' is not applicable to {left} when right side is {right}.",
)
SUM_OF_TIMESTAMPS = not_applicable("A Timestamp cannot be added to a Timestamp")
SUM_WITH_URI = not_applicable(
    "Only a URI or a String can be added to a URI",
    words="An URI can only be merged with an URI or String",
)
SUM_WITH_BINARY = not_applicable(
    "Only a Binary can be added to a Binary", words="Can only append Binary to a Binary"
)
TIMESPAN_FACTOR = not_applicable("A Timespan cannot be multiplied by {right}")
TIMESPAN_DIVISOR = not_applicable("A Timespan cannot be divided by a Timestamp")
TIMESPAN_MODULUS = not_applicable("Can not do modulus on a Timespan using {right}")
TIMESPAN_MINUS_TIMESTAMP = not_applicable("A Timestamp cannot be subtracted from a Timespan")
UNTITLED_REFERENCE = Issue.general(
    "INVALID_REFERENCE", "Parameter '{name}' of {reference} refers to a resource without a title"
)

# -- objects of Ruby -------------------------------------------------------------------------------
RUNTIME_CONVERSION = "RUNTIME_VALUE_CONVERTED"
RUBY_CLASS_IN_CATALOG = Issue(
    "RUBY_CLASS_IN_CATALOG",
    "{path} contains the Ruby class {text}, which cannot be written to a catalog",
    hint="return its name from the Ruby function: to_s",
)
