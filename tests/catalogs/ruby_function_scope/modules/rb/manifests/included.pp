class rb::included { notify { 'in included': } notice("caller ${caller_module_name}.") }
