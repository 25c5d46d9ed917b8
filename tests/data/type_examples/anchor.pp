anchor { 'web::begin': }
