// A number as people read it, with the decimals and the unit of its field (developer-api.md 3.2).
import type { Field } from "../api/types.ts"

export const numberText = (value: number, field: Field | undefined) => {
  if (field?.field_type !== "number" && field?.field_type !== "calculation") return String(value)
  const { decimals = null, unit = null, unit_location } = field.config.settings
  const digits =
    decimals === null
      ? { maximumFractionDigits: 15 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const text = value.toLocaleString(undefined, digits)
  if (unit === null || unit === "") return text
  return unit_location === "prefix" ? `${unit} ${text}` : `${text} ${unit}`
}
