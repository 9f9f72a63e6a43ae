// Texts of a file as messages show them: the beginning of a long one.
import { cut } from "../../platform/bounds/cut.ts"

export const shownText = (text: string): string => cut(text.trim())

export const quoted = (text: string): string => `“${shownText(text)}”`
