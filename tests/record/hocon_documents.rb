# Reads changes of HOCON documents as JSON lines [text, is_json, action, path, value] and writes the
# new text of each, or null where the gem hocon refuses it. Run by record_hocon_documents.py.
require 'json'
require 'hocon/config_factory'
require 'hocon/config_value_factory'
require 'hocon/parser/config_document_factory'

STDIN.each_line do |line|
  text, is_json, action, path, value = JSON.parse(line)
  changed = begin
    syntax = is_json ? Hocon::ConfigSyntax::JSON : Hocon::ConfigSyntax::CONF
    options = Hocon::ConfigParseOptions.defaults.set_syntax(syntax)
    document = Hocon::Parser::ConfigDocumentFactory.parse_string(text, options)
    case action
    when 'text' then document.set_value(path, value).render
    when 'value' then document.set_config_value(path, Hocon::ConfigValueFactory.from_any_ref(value, nil)).render
    when 'remove' then document.remove_value(path).render
    else document.has_value?(path).to_s
    end
  rescue StandardError
    nil
  end
  puts JSON.generate(changed)
end
