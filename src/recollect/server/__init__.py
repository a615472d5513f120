"""The REST API: one router per noun, one error table and one gate. It only translates and delegates; it has no rules."""
