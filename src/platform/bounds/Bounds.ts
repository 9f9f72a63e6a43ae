// Checks the sizes of structures from outside (decisions P7): before anything is decoded, in time linear in their content. The first size
// that is exceeded is named.
import { Schema } from "effect"
import { cut } from "./cut.ts"
import { type Shape, shapeOf } from "./schemaSizes.ts"

export interface Excess {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const entries = (count: number) => (count === 1 ? "1 entry" : `${count} entries`)

/** Number of values below, counted up to one more than the limit. */
export const countNodes = (value: unknown, limit: number): number => {
  let count = 0
  const pending: Array<unknown> = [value]
  while (pending.length > 0 && count <= limit) {
    const next = pending.pop()
    count++
    if (typeof next !== "object" || next === null) continue
    const inner: ReadonlyArray<unknown> = Array.isArray(next) ? next : Object.values(next)
    if (inner.length > limit - count) return limit + 1
    for (const child of inner) pending.push(child)
  }
  return count
}

/**
 * First part of the value that is larger than the shape allows.
 * @param kept the texts are to be stored: Postgres takes no half of a surrogate pair
 */
const excessOf = (
  shape: Shape,
  value: unknown,
  kept = false,
  path: ReadonlyArray<PropertyKey> = []
): Excess | undefined => {
  if (typeof value === "string") {
    if (kept && shape.nodes === undefined && !value.isWellFormed())
      return { path, message: "contains characters that cannot be stored" }
    if (shape.text === undefined || shape.nodes !== undefined || value.length <= shape.text) return undefined
    return { path, message: `expected at most ${shape.text} characters` }
  }
  if (typeof value !== "object" || value === null) return undefined
  if (shape.nodes !== undefined && shape.items === undefined && shape.keys === undefined) {
    const { nodes } = shape
    if (nodes === Number.POSITIVE_INFINITY || countNodes(value, nodes) <= nodes) return undefined
    return { path, message: `expected at most ${nodes} values in all` }
  }
  if (shape.total !== undefined && countNodes(value, shape.total) > shape.total) {
    return { path, message: `expected at most ${shape.total} values in all` }
  }
  if (Array.isArray(value)) {
    if (shape.items === undefined || shape.item === undefined) return undefined
    if (value.length > shape.items) return { path, message: `expected at most ${entries(shape.items)}` }
    for (let index = 0; index < value.length; index++) {
      const excess = excessOf(shape.item, value[index], kept, [...path, index])
      if (excess !== undefined) return excess
    }
    return undefined
  }
  if (shape.keys === undefined) return undefined
  const keys = Object.keys(value)
  if (keys.length > shape.keys) {
    const stray = shape.others === undefined ? keys.find((key) => !shape.members?.has(key)) : undefined
    return stray === undefined
      ? { path, message: `expected at most ${entries(shape.keys)}` }
      : { path: [...path, cut(stray)], message: "unknown key, and many more" }
  }
  for (const key of keys) {
    const inner = shape.members?.get(key) ?? shape.others
    const excess = inner === undefined ? undefined : excessOf(inner, (value as any)[key], kept, [...path, key])
    if (excess !== undefined) return excess
  }
  return undefined
}

/** Finds the first excess in a value that is about to be decoded. */
export type Look = (value: unknown) => Excess | undefined

const looking = (kept: boolean, schemas: ReadonlyArray<Schema.Constraint>): Look => {
  let shape: Shape | undefined
  return (value) => {
    shape ??= shapeOf(...schemas)
    return excessOf(shape, value, kept)
  }
}

/** Checks values against the sizes of the schemas. */
export const bounds = (...schemas: ReadonlyArray<Schema.Constraint>): Look => looking(false, schemas)

/** Checks values that are to be stored as they are sent. */
export const storedBounds = (...schemas: ReadonlyArray<Schema.Constraint>): Look => looking(true, schemas)

/** Allows at most so many values, all levels together, in a part that no schema describes. */
export const isMaxNodes = (maxNodes: number) =>
  Schema.makeFilter<unknown>((value) => countNodes(value, maxNodes) <= maxNodes, {
    expected: `at most ${maxNodes} values in all`,
    representation: { id: "millrace/isMaxNodes", payload: { maxNodes } }
  })
