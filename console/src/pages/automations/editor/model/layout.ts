// Positions of a flow's parts: from top to bottom, the branches of a step side by side below it, an add button between any two.
import { type Branch, branchesOf, type Place, type Step, type Steps, stepsIn } from "./steps.ts"

export const CARD = { width: 248, height: 68 } as const
export const PLUS = 28
const GAP = 16
const BESIDE = 40
/** Above a branch: its name. */
const NAME = 40
/** Between a step and the names of its branches, where the lines part. */
const PART = 12

interface Drawn {
  readonly id: string
  readonly x: number
  readonly y: number
}
export type FlowNode =
  | (Drawn & { readonly kind: "trigger" })
  | (Drawn & { readonly kind: "filter" })
  | (Drawn & { readonly kind: "step"; readonly step: Step; readonly number: string })
  | (Drawn & { readonly kind: "plus"; readonly place: Place })
  | (Drawn & { readonly kind: "name"; readonly words: string })
interface FlowEdge {
  readonly id: string
  readonly from: string
  readonly to: string
}
export interface FlowLayout {
  readonly nodes: ReadonlyArray<FlowNode>
  readonly edges: ReadonlyArray<FlowEdge>
  readonly width: number
  readonly height: number
}

const namesOf = (step: Step, branch: Branch) =>
  step.type === "for_loop" ? "For each" : branch === "action_rows" ? "If so" : "Otherwise"

const shownBranches = (step: Step) => branchesOf(step.type).filter((branch) => stepsIn(step, branch) !== undefined)

const widthOfStep = (step: Step): number => {
  const inner = shownBranches(step).map((branch) => widthOf(stepsIn(step, branch)!))
  return Math.max(CARD.width, inner.reduce((sum, width) => sum + width, 0) + BESIDE * Math.max(0, inner.length - 1))
}
const widthOf = (steps: Steps): number => Math.max(CARD.width, ...steps.map(widthOfStep))

export const flowOf = (actions: Steps): FlowLayout => {
  const nodes: Array<FlowNode> = []
  const edges: Array<FlowEdge> = []
  const width = widthOf(actions)
  const link = (sources: ReadonlyArray<string>, to: string) => {
    for (const from of sources) edges.push({ id: `${from}>${to}`, from, to })
  }

  /** Draws steps around `middle` from `top`; @returns its lower edge and what leads on from it */
  const draw = (steps: Steps, at: Omit<Place, "index">, middle: number, top: number, from: string, prefix: string) => {
    let y = top
    let openEnds: ReadonlyArray<string> = [from]
    const plus = (index: number) => {
      const id = `plus ${at.parent ?? ""} ${at.branch} ${index}`
      nodes.push({ kind: "plus", id, place: { ...at, index }, x: middle - PLUS / 2, y })
      link(openEnds, id)
      openEnds = [id]
      y += PLUS + GAP
    }
    for (const [index, step] of steps.entries()) {
      plus(index)
      const number = `${prefix}${index + 1}`
      nodes.push({ kind: "step", id: step.id, step, number, x: middle - CARD.width / 2, y })
      link(openEnds, step.id)
      openEnds = [step.id]
      y += CARD.height + GAP
      const inner = shownBranches(step)
      if (inner.length === 0) continue
      y += PART
      let leftEdge = middle - widthOfStep(step) / 2
      if (inner.length === 1) leftEdge = middle - widthOf(stepsIn(step, inner[0]!)!) / 2
      let lowest = y
      const branchEnds: Array<string> = inner.length === 1 && step.type === "conditional" ? [step.id] : []
      for (const branch of inner) {
        const list = stepsIn(step, branch)!
        const wide = widthOf(list)
        const name = `name ${step.id} ${branch}`
        const centre = leftEdge + wide / 2
        nodes.push({ kind: "name", id: name, words: namesOf(step, branch), x: centre - CARD.width / 2, y })
        link([step.id], name)
        const mark = branch === "action_rows" ? "" : "b"
        const drawn = draw(list, { parent: step.id, branch }, centre, y + NAME, name, `${number}${mark}.`)
        lowest = Math.max(lowest, drawn.bottom)
        branchEnds.push(...drawn.open)
        leftEdge += wide + BESIDE
      }
      openEnds = branchEnds
      y = lowest + PART
    }
    plus(steps.length)
    return { bottom: y, open: openEnds }
  }

  const middle = width / 2
  const head = middle - CARD.width / 2
  nodes.push({ kind: "trigger", id: "trigger", x: head, y: 0 })
  nodes.push({ kind: "filter", id: "filter", x: head, y: CARD.height + GAP })
  link(["trigger"], "filter")
  const root = { parent: null, branch: "action_rows" } as const
  const { bottom } = draw(actions, root, middle, 2 * (CARD.height + GAP), "filter", "")
  return { nodes, edges, width, height: bottom }
}
