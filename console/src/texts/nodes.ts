// Puts elements into a text: nodes`Sent to ${link}.` reads as a sentence, and another language orders its parts as it needs them.
import { createElement, Fragment, type ReactNode } from "react"

export const nodes = (words: TemplateStringsArray, ...values: ReadonlyArray<ReactNode>): ReactNode =>
  createElement(Fragment, null, ...words.flatMap((text, i) => [text, values[i]]))
