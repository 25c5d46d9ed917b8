# frozen_string_literal: true

PuppetOfFacts.autoloaded
