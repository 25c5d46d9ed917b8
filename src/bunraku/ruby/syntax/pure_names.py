"""What Ruby code may use so that it only computes (:mod:`bunraku.ruby.syntax.purity`): methods and constants.

Methods are known by their names alone, which is enough because the values that code can get hold of are those of the constants
here and of Puppet: texts, numbers, arrays, hashes, types.
"""

from __future__ import annotations

from collections.abc import Mapping


def listed_words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


REFUSED_NODES: Mapping[str, str] = {
    "subshell": "runs a program",
    "class": "defines a class",
    "singleton_class": "changes an object",
    "singleton_method": "changes an object",
    "class_variable": "keeps a value between calls",
    "instance_variable": "keeps a value between calls",
    "super": "uses super",
    "alias": "changes methods",
    "undef": "changes methods",
    "begin_block": "runs when the file is loaded",
    "end_block": "runs when Ruby ends",
    "file": "reads its own path",
    "uninterpreted": "reads its own file",
    "setter": "changes an object",
    "ERROR": "cannot be parsed as Ruby",
}
FRAMES = frozenset(
    {
        "Puppet",
        "Puppet::Parser",
        "Puppet::Parser::Functions",
        "Puppet::Functions",
        "Parser",
        "Functions",
    }
)
"""Modules around the definition of a function."""
KERNEL = listed_words(
    """
    rand srand gets fork exit abort binding caller sleep readline readlines local_variables
    global_variables block_given? __dir__ __method__ __callee__ object_id hash inspect method
    """
)
"""Methods of every object that do more than compute, or whose result differs in each process."""
CREATORS = frozenset({"create_function", "newfunction"})
DECLARATIONS = listed_words(
    """
    dispatch param required_param optional_param repeated_param optional_repeated_param
    required_repeated_param block_param optional_block_param required_block_param return_type
    argument_mismatch local_types type scope_param newfunction create_function
    """
)
"""Calls that declare a function and its parameters."""
CALLS = listed_words(
    """
    raise fail format sprintf Integer Float String Array Hash Rational URI lambda proc loop catch throw
    call_function lookupvar block_given? warning debug info notice err private closure_scope _ N_ n_
    catalog compiler environment findresource lookupdefaults resource topscope
    """
)
"""Methods without a receiver; those of Puppet log, or are answered by the recorded compile."""
SCOPE_METHODS = listed_words(
    """
    lookupvar [] include? exist? call_function warning debug info notice catalog compiler environment
    find_global_scope findresource lookupdefaults resource topscope
    """
)
"""Methods of a scope: the recorded compile answers them."""
SCOPES = frozenset({"scope", "closure_scope"})
METHODS = listed_words(
    """
    each each_pair each_with_index each_index each_key each_value reverse_each each_slice times map
    collect flat_map select reject find detect find_all partition group_by sort sort_by uniq compact
    flatten join split strip lstrip rstrip chomp chop gsub sub tr squeeze delete delete_if keys values
    key? has_key? include? member? empty? nil? is_a? kind_of? instance_of? to_s to_i to_f to_a to_sym
    length size count first last push concat unshift merge update upcase downcase capitalize swapcase
    start_with? end_with? match match? any? all? none? max min sum reverse zip index fetch dig ljust
    rjust center values_at slice reduce inject upto downto even? odd? zero? abs succ next + - * << & |
    call [] key merge! map! collect! select! reject! compact! flatten! uniq! sort! sort_by! reverse!
    keep_if store clear replace insert pop shift append prepend transform_values transform_keys
    each_with_object each_cons each_char each_line each_byte each_entry filter filter_map min_by max_by
    minmax tally take take_while drop drop_while cycle product combination permutation transpose rotate
    find_index rindex assoc rassoc one? to_h to_set to_r to_c to_str to_ary to_hash invert default value?
    has_value? fetch_values rehash compare_by_identity union intersection difference subset? superset?
    disjoint? add chars bytes lines codepoints scan sub! gsub! strip! lstrip! rstrip! chomp! chop!
    upcase! downcase! capitalize! squeeze! tr! tr_s delete! slice! succ! next! rpartition casecmp
    casecmp? ord chr hex oct unpack unpack1 pack b crypt encode force_encoding unicode_normalize
    valid_encoding? ascii_only? encoding bytesize byteslice getbyte delete_prefix delete_suffix =~ !~ % /
    == != <=> === eql? equal? ! ^ >> ** < > <= >= -@ +@ ~ captures named_captures names pre_match
    post_match begin end offset source options to_regexp to_json to_yaml pretty_generate freeze frozen?
    dup clone itself then tap respond_to? inspect grep grep_v delete_at digest versioncmp class name
    ancestors floor ceil round truncate divmod modulo fdiv div pow pred integer? finite? nan? infinite?
    positive? negative? nonzero? bit_length digits gcd lcm step clamp between? numerator denominator
    coerce magnitude message unwrap sensitive? ipv4? ipv6? to_range mask prefix hton ip6_arpa ip6_string
    ip4_arpa ipv4_mapped private? loopback? link_local? scheme host port path query fragment userinfo
    user password opaque hostname hexdigest at basename extname shellescape shelljoin shellsplit resources classes
    exported? virtual? ref tagged? lookupdefaults catalog compiler environment
    find_global_scope findresource lookupvar parameters resource title topscope type value lazy force with_index with_object with_default is_hash?
    """
)
"""Methods of Ruby's values, IPAddr, URI, Set and Digest that compute only from their receiver and arguments. Those of scopes,
catalogs and resources are answered by the recorded compile.
"""
ERRORS = listed_words(
    """
    ArgumentError TypeError StandardError RuntimeError KeyError IndexError NameError NoMethodError
    RangeError Exception FrozenError StopIteration ZeroDivisionError FloatDomainError
    EncodingError Puppet::ParseError Puppet::Error Puppet::DevError Puppet::PreformattedError
    IPAddr::Error IPAddr::InvalidAddressError IPAddr::InvalidPrefixError IPAddr::AddressFamilyError
    URI::InvalidURIError URI::InvalidComponentError URI::Error JSON::ParserError JSON::JSONError
    JSON::GeneratorError Psych::SyntaxError RegexpError
    Encoding::UndefinedConversionError Encoding::InvalidByteSequenceError
    """
)
CONSTANTS = ERRORS | listed_words(
    """
    Array Hash String Symbol Integer Fixnum Float Numeric NilClass TrueClass FalseClass RUBY_VERSION
    RUBY_ENGINE Rational Complex Proc Method Regexp Range MatchData Comparable Enumerable Enumerator Set
    IPAddr URI::HTTP URI::HTTPS URI::Generic URI::FTP Encoding::UTF_8 Encoding::ASCII_8BIT
    Encoding::BINARY Encoding::US_ASCII Regexp::IGNORECASE Regexp::MULTILINE Regexp::EXTENDED
    Puppet::Functions::InternalFunction Puppet::Functions::Function
    Puppet::Pops::Types::PSensitiveType::Sensitive Puppet::Pops::Types::PRegexpType
    Puppet::Pops::Types::PAnyType Puppet::Pops::Time::Timestamp Puppet::Pops::Time::Timespan
    Puppet::Resource Puppet::Parser::Resource Float::INFINITY Float::NAN Float::EPSILON Float::MAX
    Float::MIN Math::PI Math::E Bignum NIL TRUE FALSE IPAddr::IN4MASK IPAddr::IN6MASK Socket::AF_INET
    Socket::AF_INET6 SortedSet Object BasicObject
    """
)
"""Constants that stand for themselves: classes in tests and errors, and numbers."""
NEW = frozenset({"new"})
CLASS_METHODS: Mapping[str, frozenset[str]] = {
    "Array": NEW | {"[]", "try_convert"},
    "Hash": NEW | {"[]", "try_convert"},
    "String": NEW,
    "Regexp": NEW | {"escape", "quote", "union", "compile", "last_match"},
    "Set": NEW | {"[]"},
    "Integer": frozenset({"sqrt"}),
    "Range": NEW,
    "IPAddr": NEW | {"new_ntoh", "ntop", "const_defined?"},
    "URI": listed_words(
        """
    parse escape unescape encode_www_form decode_www_form encode_www_form_component
    decode_www_form_component join split extract regexp encode_uri_component decode_uri_component
    """
    ),
    "URI::DEFAULT_PARSER": frozenset({"escape", "unescape", "parse"}),
    "JSON": frozenset({"parse", "parse!", "generate", "pretty_generate"}),
    "YAML": frozenset({"load", "dump", "safe_load"}),
    "Psych": frozenset({"load", "dump", "safe_load"}),
    "Base64": frozenset(
        [
            "encode64",
            "decode64",
            "strict_encode64",
            "strict_decode64",
            "urlsafe_encode64",
            "urlsafe_decode64",
        ]
    ),
    "Math": listed_words(
        """
    sqrt log log2 log10 exp sin cos tan pow cbrt hypot floor
    """
    ),
    "CGI": frozenset(
        {"escape", "unescape", "escapeHTML", "unescapeHTML", "escape_html", "unescape_html"}
    ),
    "ERB::Util": frozenset({"url_encode", "html_escape", "u", "h"}),
    "Shellwords": listed_words(
        """
    escape shellescape split join shellsplit shelljoin shellwords
    """
    ),
    "File": frozenset({"basename", "extname", "dirname", "join", "split"}),
    "Facter": frozenset({"value"}),
    "Zlib": frozenset({"crc32", "adler32"}),
    "Puppet": listed_words(
        """
    warning debug info notice err deprecation_warning warn_once
    """
    ),
    "Puppet::Functions": CREATORS,
    "Puppet::Parser::Functions": CREATORS,
    "Puppet::Util::Package": frozenset({"versioncmp"}),
    "Puppet::Util::Json": frozenset({"load", "dump"}),
    "Kernel": listed_words(
        """
    format sprintf Integer Float String Array raise fail
    """
    ),
    "OpenSSL::HMAC": frozenset({"hexdigest", "digest"}),
    "OpenSSL::PKCS5": frozenset({"pbkdf2_hmac", "pbkdf2_hmac_sha1"}),
    "OpenSSL::KDF": frozenset({"pbkdf2_hmac"}),
    "Gem::Version": NEW | {"correct?"},
    "URI::Generic": NEW | {"build", "build2"},
    "URI::HTTP": frozenset({"build"}),
    "URI::HTTPS": frozenset({"build"}),
    "PSON": frozenset({"parse", "generate", "pretty_generate"}),
    "Puppet::Pops::Types::PSensitiveType::Sensitive": NEW,
    "Puppet::Util": frozenset({"deterministic_rand", "deterministic_rand_int"}),
    **{
        f"{module}::{name}": frozenset({"hexdigest", "digest", "base64digest", "new"})
        for module in ("Digest", "OpenSSL::Digest")
        for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")
    },
    **dict.fromkeys(ERRORS, NEW),
}
"""Methods of modules and classes that compute only from their arguments."""
LIBRARIES = listed_words(
    """
    ipaddr uri json yaml psych digest digest/md5 digest/sha1 digest/sha2 digest/sha2.so openssl base64
    set cgi erb shellwords bigdecimal zlib strscan English puppet puppet/parser/functions puppet/util
    puppet/error puppet/functions puppet/parser
    """
)
"""Libraries that a file may load: those of the constants above, and parts of Puppet that are there already."""
BY_NAME = frozenset({"inject", "reduce"})
"""Methods that call a method whose name they are given."""
