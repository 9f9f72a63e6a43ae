// Finds regular expressions that could take more than linear time (decisions P8). recheck judges every literal of a file, and every text
// that becomes one, as if its match were looked for at each position of a hostile text.
import { check } from "recheck"
import { parseAst } from "rolldown/parseAst"

/** Limits in steps, not time, so that a busy machine judges alike; a pattern that takes longer to judge is too complex to be trusted. */
const limits = { attackTimeout: null, incubationTimeout: null, timeout: 100_000 }
/** Methods of a string that make a pattern from a text. */
const MAKERS = new Set(["match", "matchAll", "search"])

/**
 * @typedef {{ line: number, source: string, flags: string }} Pattern
 * @typedef {{ line: number, what: string }} Finding
 * @typedef {{ type?: string, start: number, regex?: { pattern: string, flags: string } } & Record<string, any>} Syntax
 */

/** @param {Syntax | undefined} node */
const textOf = (node) => (node?.type === "Literal" && typeof node["value"] === "string" ? node["value"] : undefined)

/**
 * Patterns of a file; `built` are those put together while the program runs, which cannot be judged beforehand.
 * @param {string} file @param {string} text
 */
export const patternsOf = (file, text) => {
  /** @type {Pattern[]} */
  const patterns = []
  /** @type {number[]} */
  const built = []
  const lineOf = (/** @type {Syntax} */ node) => text.slice(0, node.start).split("\n").length
  const addPattern = (/** @type {Syntax} */ node) => {
    const source = textOf(node["arguments"][0])
    if (source === undefined) built.push(lineOf(node))
    else patterns.push({ line: lineOf(node), source, flags: textOf(node["arguments"][1]) ?? "" })
  }
  const visit = (/** @type {Syntax} */ node) => {
    if (node.regex !== undefined)
      patterns.push({ line: lineOf(node), source: node.regex.pattern, flags: node.regex.flags })
    else if (node.type === "NewExpression" || node.type === "CallExpression") {
      const { callee } = node
      const literal = node["arguments"][0]?.regex !== undefined
      if (callee.type === "Identifier" && callee.name === "RegExp" && !literal) addPattern(node)
      const method = callee.type === "MemberExpression" ? callee.property.name : undefined
      if (MAKERS.has(method) && textOf(node["arguments"][0]) !== undefined) addPattern(node)
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") visit(child)
  }
  visit(/** @type {any} */ (parseAst(text, { lang: file.endsWith(".ts") ? "ts" : "js" }, file)))
  return { patterns, built }
}

/** Reason to reject a pattern; undefined if it is linear. @param {Pattern} pattern */
export const faultOf = async ({ flags, source }) => {
  const analysis = await check(source, flags, limits)
  if (analysis.status === "safe") return undefined
  const patternText = `/${source}/${flags}`
  return analysis.status === "vulnerable"
    ? `${patternText} takes ${analysis.complexity.summary} time, e.g. for ${analysis.attack.pattern}`
    : `${patternText} cannot be judged (${analysis.error.kind}): write it more plainly`
}
