# frozen_string_literal: true

PuppetOfFacts.load_once
