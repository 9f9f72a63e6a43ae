// Positions of a flow's parts: from top to bottom, the branches of a step side by side below it, an add button between any two. A folded step
// is drawn without its branches.

import { layout as texts } from "../../../../texts/automations/editorModel.ts"
import { type Branch, branchesOf, type Place, type Step, type Steps, stepsIn } from "./steps.ts"

export const CARD = { width: 264, height: 72 } as const
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
  | (Drawn & { readonly kind: "step"; readonly number: string })
  | (Drawn & { readonly kind: "plus"; readonly place: Place; readonly after: string | undefined })
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
  step.type === "for_loop" ? texts.forEach : branch === "action_rows" ? texts.ifSo : texts.otherwise

const presentBranches = (step: Step) => branchesOf(step.type).filter((branch) => stepsIn(step, branch) !== undefined)

/** Text that differs for two definitions exactly if they are laid out differently: ids, branches and what is folded. */
export const shapeOf = (steps: Steps, folded: ReadonlySet<string>): string =>
  steps
    .map((step) => {
      const inner = presentBranches(step).map((branch) => `${branch}[${shapeOf(stepsIn(step, branch)!, folded)}]`)
      return `${step.id}${step.type === "for_loop" ? "*" : ""}${folded.has(step.id) ? "-" : inner.join("")}`
    })
    .join()

export const flowOf = (actions: Steps, folded: ReadonlySet<string> = new Set()): FlowLayout => {
  const shownBranches = (step: Step) => (folded.has(step.id) ? [] : presentBranches(step))
  const widths = new Map<string, number>()
  const widthOfStep = (step: Step): number => {
    const knownWidth = widths.get(step.id)
    if (knownWidth !== undefined) return knownWidth
    const inner = shownBranches(step).map((branch) => widthOf(stepsIn(step, branch)!))
    const sum = inner.reduce((total, width) => total + width, 0) + BESIDE * Math.max(0, inner.length - 1)
    widths.set(step.id, Math.max(CARD.width, sum))
    return widths.get(step.id)!
  }
  const widthOf = (steps: Steps): number => Math.max(CARD.width, ...steps.map(widthOfStep))
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
      const formerId = steps[index - 1]?.id
      nodes.push({ kind: "plus", id, place: { ...at, index }, after: formerId, x: middle - PLUS / 2, y })
      link(openEnds, id)
      openEnds = [id]
      y += PLUS + GAP
    }
    for (const [index, step] of steps.entries()) {
      plus(index)
      const number = `${prefix}${index + 1}`
      nodes.push({ kind: "step", id: step.id, number, x: middle - CARD.width / 2, y })
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
        if (step.type === "for_loop") {
          const returnId = `again ${step.id}`
          nodes.push({ kind: "name", id: returnId, words: texts.nextItem, x: centre - CARD.width / 2, y: drawn.bottom })
          link(drawn.open, returnId)
          branchEnds.push(returnId)
          lowest = Math.max(lowest, drawn.bottom + NAME)
        } else branchEnds.push(...drawn.open)
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
