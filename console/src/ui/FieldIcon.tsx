// The icon of a field's type. It stands beside the field's name and is hidden from screen readers.
import type { Field } from "../api/types.ts"
import { fieldIcons } from "./fieldIcons.ts"

interface FieldIconProps {
  readonly type: Field["field_type"]
  readonly size?: number
}
export const FieldIcon = ({ size = 16, type }: FieldIconProps) => {
  const Icon = fieldIcons[type]
  return <Icon className="field-icon" size={size} strokeWidth={1.75} />
}
