// The process's functions over texts (runner/textFunctions.ts), held where no script sees them.
import type { AskText, TextFunction } from "../textCalls.ts"

let ask: AskText = () => null
export const setHost = (host: AskText) => {
  ask = host
}

/** Its parameters one by one: a list of them could be seen on its way by who has patched lists. */
export const askHost = (
  name: TextFunction,
  a: string | number,
  b: string | null = null,
  c: string | boolean | null = null,
  d: string | boolean | null = null
): string | null => ask(name, a, b, c, d)
