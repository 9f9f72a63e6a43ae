// Names of secrets (developer-api.md 7.13), and those that a script uses: `secret("name")` with a literal name, so that a definition tells
// what it uses before it runs. Pure.
import { Schema } from "effect"

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/

export const SecretName = Schema.String.check(
  Schema.isMaxLength(100),
  Schema.isPattern(NAME, {
    expected: "a letter or `_`, then letters, digits, `_`, `-` or `.`, 100 characters in all"
  })
)

const call = /\bsecret\s*\(\s*["'`]([A-Za-z_][A-Za-z0-9_.-]{0,99})["'`]\s*\)/g

export const namesInScript = (source: string): ReadonlyArray<string> => [
  ...new Set([...source.matchAll(call)].map(([, name]) => name!))
]
