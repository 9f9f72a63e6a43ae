// Plan of a definition revision (design: automations as durable executions): the order of its nodes, and its durable points. Pure and free
// of `effect`. A cursor is a node path with iterations, never an index into a plan.
import type { Action } from "../schema/Action.ts"

/**
 * Kind of a step:
 * - `database`: one transaction inside a segment.
 * - `outside`: an activity of its own.
 * - `call`: starts other runs.
 * - `wait`, `branch`, `loop`, `exit`: handled by the executor.
 */
export type StepKind = "database" | "outside" | "call" | "wait" | "branch" | "loop" | "exit"

/**
 * Position of a run: the next thing to do. `path` names the node by its place in the revision's tree (`2`, `3.then.0`, `4.body.1`),
 * `iteration` holds the index of each enclosing loop. At a loop `turn` is the index of the next item. `ran`: the body has run for the item
 * before it, so that the break condition is due.
 */
export interface Cursor {
  readonly path: string
  readonly iteration: ReadonlyArray<number>
  readonly turn?: number
  readonly ran?: boolean
}

export interface PlanNode {
  readonly path: string
  readonly action: Action
  readonly kind: StepKind
  readonly parent: PlanNode | null
  /** The node after this one in its list. */
  readonly next: string | null
  /** First nodes of the lists inside: `then` and `else` of a branch, `body` of a loop. Absent: the list is empty. */
  readonly inside: Readonly<Record<string, string>>
  /** Paths of the enclosing loops, the outermost first. */
  readonly loops: ReadonlyArray<string>
}

export interface Plan {
  readonly first: Cursor | null
  readonly nodes: ReadonlyMap<string, PlanNode>
  /** True if it has database steps and branches only: an actor executes the run at once. */
  readonly plain: boolean
}

/** Kinds of durable points: a run with one of them always gets a workflow. */
const durablePoints: ReadonlySet<StepKind> = new Set(["outside", "call", "wait", "loop"])

const lists = (
  { config }: Action,
  kind: StepKind
): ReadonlyArray<readonly [name: string, rows: ReadonlyArray<Action>]> => {
  const rows = (key: string) => (config[key] ?? []) as ReadonlyArray<Action>
  if (kind === "branch") {
    return [
      ["then", rows("action_rows")],
      ["else", rows("else_action_rows")]
    ]
  }
  return kind === "loop" ? [["body", rows("action_rows")]] : []
}

/** Removes a step with `deactivate`, and everything inside it, before the start (developer-api.md 7.11, run semantics 3). */
export const makePlan = (actions: ReadonlyArray<Action>, kindOf: (type: string) => StepKind): Plan => {
  const nodes = new Map<string, PlanNode>()

  const add = (
    rows: ReadonlyArray<Action>,
    prefix: string,
    parent: PlanNode | null,
    loops: ReadonlyArray<string>
  ): string | null => {
    const steps = rows.map((action, index) => ({ action, path: `${prefix}${index}` }))
    const kept = steps.filter(({ action }) => action.deactivate !== true)
    for (const [index, { action, path }] of kept.entries()) {
      const kind = kindOf(action.type)
      const inside: Record<string, string> = {}
      const node: PlanNode = { path, action, kind, parent, next: kept[index + 1]?.path ?? null, inside, loops }
      nodes.set(path, node)
      for (const [name, list] of lists(action, kind)) {
        const firstPath = add(list, `${path}.${name}.`, node, kind === "loop" ? [...loops, path] : loops)
        if (firstPath !== null) inside[name] = firstPath
      }
    }
    return kept[0]?.path ?? null
  }

  const firstPath = add(actions, "", null, [])
  return {
    first: firstPath === null ? null : { path: firstPath, iteration: [] },
    nodes,
    plain: [...nodes.values()].every(({ kind }) => !durablePoints.has(kind))
  }
}

/** Returns the cursor after a node is done, in an iteration; null at the end of the run. */
export const after = (node: PlanNode, iteration: ReadonlyArray<number>): Cursor | null => {
  if (node.next !== null) return { path: node.next, iteration }
  const { parent } = node
  if (parent === null) return null
  if (parent.kind !== "loop") return after(parent, iteration)
  return { path: parent.path, iteration: iteration.slice(0, -1), turn: iteration.at(-1)! + 1, ran: true }
}

/** Returns the cursor into one of the lists of a branch, or past the branch if that list is empty. */
export const into = (node: PlanNode, list: string, iteration: ReadonlyArray<number>): Cursor | null => {
  const firstPath = node.inside[list]
  return firstPath === undefined ? after(node, iteration) : { path: firstPath, iteration }
}

/** Returns the cursor into the body of a loop for one of its items, or at the next item if the body is empty. */
export const intoBody = (node: PlanNode, iteration: ReadonlyArray<number>, index: number): Cursor => {
  const firstPath = node.inside["body"]
  return firstPath === undefined
    ? { path: node.path, iteration, turn: index + 1, ran: true }
    : { path: firstPath, iteration: [...iteration, index] }
}

/**
 * Returns the cursor in another revision, whose steps before it are the same: what stands in its place there, or the next step if that
 * place is empty or switched off; null at the end of the run.
 */
export const placedIn = ({ nodes }: Plan, cursor: Cursor | null): Cursor | null => {
  if (cursor === null || nodes.has(cursor.path)) return cursor
  const parts = cursor.path.split(".")
  const prefix = cursor.path.slice(0, cursor.path.length - parts.at(-1)!.length)
  const isLater = ({ path }: PlanNode) =>
    path.startsWith(prefix) &&
    /^\d+$/.test(path.slice(prefix.length)) &&
    Number(path.slice(prefix.length)) > Number(parts.at(-1))
  const next = [...nodes.values()].find(isLater)
  if (next !== undefined) return { path: next.path, iteration: cursor.iteration }
  const parent = nodes.get(parts.slice(0, -2).join("."))
  return parent === undefined ? null : after({ ...parent, parent, next: null }, cursor.iteration)
}

/** Key of an iteration in ledger and log: `""` outside of loops, `17.4` in the second of two. */
export const iterationKey = (iteration: ReadonlyArray<number>): string => iteration.join(".")
