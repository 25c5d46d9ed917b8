# frozen_string_literal: true

Puppet::Type.type(:cache_setting).provide(:ruby) do
  desc 'Keeps the settings in memory.'

  def exists?
    true
  end

  def create; end

  def destroy; end

  attr_accessor :value
end
