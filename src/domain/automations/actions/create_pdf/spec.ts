// Action `create_pdf` (service.md 2.7): prints HTML to a file; sizes and margins in millimetres (developer-api.md 7.7 rule 5).
import { Schema } from "effect"
import { flag, withDefault } from "../../schema/combinators.ts"
import { outputVariableDefaults } from "../../schema/customVariables.ts"
import { code, defaultDef, template } from "../../schema/dynamicValues.ts"
import { action } from "../spec.ts"

export const create_pdf = action({
  type: "create_pdf",
  label: "Create PDF",
  scopes: [],
  description: "Prints a document to a PDF file",
  kind: "outside",
  declares: (config) => [config.custom_variable_def],
  config: {
    filename: template,
    custom_variable_def: defaultDef(outputVariableDefaults.create_pdf),
    page_size: Schema.Literals([
      ...(["letter", "tabloid", "legal", "a3", "a4", "a5", "envelope_10", "custom_size"] as const)
    ]).pipe(withDefault("a4")),
    page_custom_width: code,
    page_custom_height: code,
    page_orientation: Schema.Literals(["portrait", "landscape"]).pipe(withDefault("portrait")),
    page_margins: Schema.Literals(["normal", "narrow", "moderate", "wide", "custom_margins"]).pipe(
      withDefault("normal")
    ),
    page_custom_margin_top: code,
    page_custom_margin_right: code,
    page_custom_margin_bottom: code,
    page_custom_margin_left: code,
    pdf_header_custom_margin_top: code,
    pdf_footer_custom_margin_bottom: code,
    page_numbers_enabled: flag(false),
    header_and_footer_enabled: flag(false),
    page_number_style: Schema.Literals([
      ...(["decimal", "decimal_leading_zero", "lower_latin", "upper_latin", "lower_roman", "upper_roman"] as const)
    ]).pipe(withDefault("decimal")),
    page_number_start: code,
    pdf_header: template,
    pdf_header_following_pages: template,
    pdf_footer: template,
    pdf_footer_following_pages: template,
    pdf_body: template,
    pdf_header_following_pages_enabled: flag(false),
    pdf_footer_following_pages_enabled: flag(false),
    options_expanded: flag(false, "Layout flag of the editor"),
    pdf_header_expanded: flag(false, "Layout flag of the editor"),
    pdf_footer_expanded: flag(false, "Layout flag of the editor"),
    pdf_body_expanded: flag(false, "Layout flag of the editor")
  }
})
