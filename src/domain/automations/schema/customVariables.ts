// Custom variables (developer-api.md 7.7): their types, and those that types of steps declare if their config does not say otherwise. Plain
// data, so that the console shares it.

export const customTypes = ["any", "single_file", "multi_file", "single_link", "html_table_rows"] as const

export const outputVariableDefaults = {
  create_pdf: { custom_type: "single_file", label: "PDF" },
  rollup_iterable_values: { custom_type: "any", label: "Rollup" },
  current_record_generate_automation_weblink: { custom_type: "single_link", label: "Weblink" }
} as const
