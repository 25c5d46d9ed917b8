# Turns a path into text for a file name.
Puppet::Functions.create_function(:'backup::slug') do
  dispatch :slug do
    param 'String', :path
    return_type 'String'
  end

  def slug(path)
    path.sub(%r{\A/}, '').gsub('/', '-').downcase
  end
end
