// The icon of a trigger, a filter or a step. It stands beside words and is hidden from screen readers.
import { flowIcon } from "../../../ui/stepIcons.ts"

export const StepIcon = ({ size = 18, type }: { readonly type: string; readonly size?: number }) => {
  const Icon = flowIcon(type)
  return <Icon size={size} strokeWidth={1.75} />
}
