class rb::contained { notify { 'in contained': } notice("caller ${caller_module_name}.") }
