# frozen_string_literal: true

module Bunraku
  # Marks the NameError of a part of Puppet's Ruby interface that is neither in the shim nor in an
  # installed Puppet.
  module MissingPiece; end

  # Parts of Puppet that the shim does not have, loaded from a Puppet that is installed: one file for
  # each constant, when it is first used. BUNRAKU_PUPPET_LIBRARY names the folder with puppet.rb;
  # "none" forbids to look for one.
  module Installed
    OWNERS = /\A(?:Puppet|Facter|Hiera|SemanticPuppet|PuppetX)(?:::|\z)/.freeze
    TOP = %w[Puppet Facter Hiera SemanticPuppet].freeze
    GEMS = %w[puppet openvox].freeze
    @tried = {}
    @skipped = []

    class << self
      # Remember a file that code required and that was not loaded, as the shim stands in for Puppet.
      def skip(name)
        @skipped |= [name.delete_suffix('.rb')]
      end

      # The name that a file of the installed Puppet is required by.
      def name_of(path)
        @folder && path.start_with?("#{@folder}/") ? path.delete_prefix("#{@folder}/") : path
      end

      # The name of a module, also of one with a method ``name`` of its own, as resource types have.
      def name_of_module(owner)
        ::Module.instance_method(:name).bind_call(owner).to_s
      end

      # The constant of a module of Puppet, or of one around it, where Ruby looks for the names in its code.
      def constant(owner, name)
        places = modules_around(owner)
        places.each do |place|
          files_for(place, name).each do |file|
            load_for(place, name, file)
            found = places.find { |one| one.const_defined?(name, false) }
            return found.const_get(name, false) if found
          end
        end
        raise missing(owner, name)
      end

      private

      def full_name(owner, name)
        owner.equal?(Object) ? name.to_s : "#{name_of_module(owner)}::#{name}"
      end

      # A module of Puppet and those that its name is in.
      def modules_around(owner)
        return [owner] if owner.equal?(Object)

        parts = name_of_module(owner).split('::')
        names = parts.size.downto(1).map { |count| parts.first(count).join('::') }
        names.select { |one| Object.const_defined?(one) }.map { |one| Object.const_get(one) }
      end

      def missing(owner, name)
        NameError.new("#{full_name(owner, name)} is not provided", name, receiver: owner).extend(MissingPiece)
      end

      # The files that may have a constant of a module; none for one that was sought before.
      def files_for(owner, name)
        full = full_name(owner, name)
        return [] if @tried[full]

        @tried[full] = true
        sought = owner.equal?(Object) || !TOP.include?(name.to_s)
        sought && folder ? files_of(owner, name.to_s, full) : []
      end

      def load_for(owner, name, file)
        Bunraku.ask('installed', full_name(owner, name), version, folder)
        TOPLEVEL_BINDING.receiver.__send__(:bunraku_require, file)
      end

      def folder
        return @folder if defined?(@folder)

        given = ENV['BUNRAKU_PUPPET_LIBRARY']
        @folder = given ? (given unless given == 'none') : in_load_path || of_gem
      end

      def in_load_path
        ($LOAD_PATH - (Loading.libraries || [])).find { |path| File.file?(File.join(path, 'puppet/version.rb')) }
      end

      def of_gem
        return nil unless Loading.gems?

        found = GEMS.filter_map { |name| Gem::Specification.find_all_by_name(name).max_by(&:version) }.first
        found && File.join(found.full_gem_path, 'lib')
      end

      def version
        path = File.join(folder, 'puppet/version.rb')
        File.file?(path) ? File.read(path)[/PUPPETVERSION\s*=\s*['"]([^'"]+)/, 1] : nil
      end

      # The file named after the constant; else those that define one of its name: files that code required, that of the
      # module and those beside. The files of Puppet and of its parts load all of Puppet.
      def files_of(owner, name, full)
        own = path_of(full)
        return [own] if File.file?(own)

        of_module = owner.equal?(Object) ? nil : path_of(name_of_module(owner))
        beside = of_module ? Dir.glob("#{of_module.delete_suffix('.rb')}/*.rb").sort : []
        beside.unshift(of_module) if full.count(':') > 4
        required = @skipped.map { |item| File.join(folder, "#{item}.rb") }
        (required + beside).uniq.select { |path| File.file?(path) && defines?(path, name) }
      end

      def path_of(full)
        parts = full.split('::').map { |part| part.gsub(/([A-Z]+)([A-Z][a-z])|([a-z\d])([A-Z])/) { "#{$1 || $3}_#{$2 || $4}" }.downcase }
        File.join(folder, "#{parts.join('/')}.rb")
      end

      def defines?(path, name)
        text = File.read(path, encoding: Encoding::UTF_8)
        text.match?(/^\s*(?:class|module)\s+(?:\w+::)*#{name}\b|^\s*#{name}\s*=/)
      end
    end

    # Asked by Ruby where a constant is missing.
    module Hook
      def const_missing(name)
        owner = equal?(Object) ? name.to_s : Installed.name_of_module(self)
        OWNERS.match?(owner) ? Installed.constant(self, name) : super
      end
    end
  end
end

Module.prepend(Bunraku::Installed::Hook)
