// The steps of a definition as a tree, and the edits of it (service.md 2.7 "Action object"): each gives a new tree and leaves the old one.

export type Config = Readonly<Record<string, unknown>>

export interface Step {
  readonly id: string
  readonly type: string
  readonly custom_name?: string
  readonly deactivate?: boolean
  readonly continue_on_error?: boolean
  readonly retry?: unknown
  readonly config: Config
}
export type Steps = ReadonlyArray<Step>

const branches = ["action_rows", "else_action_rows"] as const
export type Branch = (typeof branches)[number]

/** Position of a step, current or possible: in the automation itself (no parent) or in a branch of a step. */
export interface Place {
  readonly parent: string | null
  readonly branch: Branch
  readonly index: number
}

export const branchesOf = (type: string): ReadonlyArray<Branch> =>
  type === "conditional" ? branches : type === "for_loop" ? ["action_rows"] : []

/** The steps of a branch; undefined where the branch is switched off. */
export const stepsIn = ({ config }: Step, branch: Branch): Steps | undefined => config[branch] as Steps | undefined

/** The config without the steps inside. */
export const ownConfigOf = ({ action_rows: _, else_action_rows: __, ...own }: Config): Config => own

const withBranch = (step: Step, branch: Branch, steps: Steps): Step => ({
  ...step,
  config: { ...step.config, [branch]: steps }
})

/** Steps that do not change stay the same objects, so that their cards are not drawn anew. */
const mapDeep = (steps: Steps, change: (step: Step) => Step): Steps => {
  const changedSteps = steps.map((step) =>
    branchesOf(step.type).reduce((changed, branch) => {
      const inner = stepsIn(changed, branch)
      const changedInner = inner === undefined ? inner : mapDeep(inner, change)
      return changedInner === undefined || changedInner === inner ? changed : withBranch(changed, branch, changedInner)
    }, change(step))
  )
  return changedSteps.every((step, index) => step === steps[index]) ? steps : changedSteps
}

const isAlike = (one: Step, other: Step): boolean => {
  if (one === other) return true
  if (one.id !== other.id || one.type !== other.type || one.custom_name !== other.custom_name) return false
  const [config, otherConfig] = [Object.entries(ownConfigOf(one.config)), ownConfigOf(other.config)]
  return config.length === Object.keys(otherConfig).length && config.every(([key, value]) => otherConfig[key] === value)
}
/** True if the steps are the same but for those inside of them. */
export const areAlike = (some: Steps, others: Steps): boolean =>
  some.length === others.length && some.every((step, index) => isAlike(step, others[index]!))

/** All steps in reading order, each with its position. */
export const flat = (
  steps: Steps,
  parent: string | null = null,
  branch: Branch = "action_rows"
): ReadonlyArray<{ readonly step: Step; readonly place: Place }> =>
  steps.flatMap((step, index) => [
    { step, place: { parent, branch, index } },
    ...branchesOf(step.type).flatMap((inner) => flat(stepsIn(step, inner) ?? [], step.id, inner))
  ])

export const stepOf = (steps: Steps, id: string): Step | undefined =>
  flat(steps).find(({ step }) => step.id === id)?.step

export const placeOf = (steps: Steps, id: string): Place | undefined =>
  flat(steps).find(({ step }) => step.id === id)?.place

export const changeStep = (steps: Steps, id: string, change: (step: Step) => Step): Steps =>
  mapDeep(steps, (step) => (step.id === id ? change(step) : step))

/** The list that a place is in. */
const listAt = (steps: Steps, { branch, parent }: Pick<Place, "parent" | "branch">): Steps => {
  const owner = parent === null ? undefined : stepOf(steps, parent)
  return owner === undefined ? (parent === null ? steps : []) : (stepsIn(owner, branch) ?? [])
}

const changeList = (
  steps: Steps,
  { branch, parent }: Pick<Place, "parent" | "branch">,
  change: (list: Steps) => Steps
): Steps =>
  parent === null
    ? change(steps)
    : changeStep(steps, parent, (step) => withBranch(step, branch, change(stepsIn(step, branch) ?? [])))

export const insertAt = (steps: Steps, place: Place, added: Steps): Steps =>
  changeList(steps, place, (list) => [...list.slice(0, place.index), ...added, ...list.slice(place.index)])

export const removeStep = (steps: Steps, id: string): Steps => {
  const stepPlace = placeOf(steps, id)
  return stepPlace === undefined ? steps : changeList(steps, stepPlace, (list) => list.filter((step) => step.id !== id))
}

export type Direction = "up" | "down" | "in" | "out"

/**
 * New position of a moved step: `in` to the end of the branch before it, or from the first branch to the second; `out` after its parent.
 */
const target = (steps: Steps, id: string, direction: Direction): Place | undefined => {
  const stepPlace = placeOf(steps, id)
  if (stepPlace === undefined) return undefined
  const list = listAt(steps, stepPlace)
  switch (direction) {
    case "up":
      return stepPlace.index > 0 ? { ...stepPlace, index: stepPlace.index - 1 } : undefined
    case "down":
      return stepPlace.index < list.length - 1 ? { ...stepPlace, index: stepPlace.index + 1 } : undefined
    case "in": {
      const previousStep = list[stepPlace.index - 1]
      if (previousStep !== undefined && branchesOf(previousStep.type).length > 0)
        return {
          parent: previousStep.id,
          branch: "action_rows",
          index: (stepsIn(previousStep, "action_rows") ?? []).length
        }
      const owner = stepPlace.parent === null ? undefined : stepOf(steps, stepPlace.parent)
      return owner?.type === "conditional" && stepPlace.branch === "action_rows"
        ? { parent: owner.id, branch: "else_action_rows", index: 0 }
        : undefined
    }
    case "out": {
      const outer = stepPlace.parent === null ? undefined : placeOf(steps, stepPlace.parent)
      return outer === undefined ? undefined : { ...outer, index: outer.index + 1 }
    }
  }
}

/** @returns the same tree where the step cannot go there */
export const moveStep = (steps: Steps, id: string, direction: Direction): Steps => {
  const step = stepOf(steps, id)
  const to = target(steps, id, direction)
  return step === undefined || to === undefined ? steps : insertAt(removeStep(steps, id), to, [step])
}

/** @returns the same tree where the place is inside of the step, or where it already is */
export const moveTo = (steps: Steps, id: string, to: Place): Steps => {
  const step = stepOf(steps, id)
  const from = placeOf(steps, id)
  if (step === undefined || from === undefined) return steps
  if (flat([step]).some(({ step: inner }) => inner.id === to.parent)) return steps
  const isSameList = from.parent === to.parent && from.branch === to.branch
  const index = isSameList && to.index > from.index ? to.index - 1 : to.index
  return isSameList && index === from.index ? steps : insertAt(removeStep(steps, id), { ...to, index }, [step])
}

/** Opaque ids of rows and entries inside a config, which no two of a definition may share; the service gives new ones. */
const withoutIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "id")
      .map(([key, inner]) => [key, withoutIds(inner)])
  )
}

/** Copies with ids of their own, all the way down. */
export const copied = (steps: Steps, mint: () => string): Steps =>
  steps.map((step) => {
    const id = mint()
    const inner = branchesOf(step.type).flatMap((branch) => {
      const list = stepsIn(step, branch)
      return list === undefined ? [] : [[branch, copied(list, mint)] as const]
    })
    return {
      ...step,
      id,
      config: { ...(withoutIds(ownConfigOf(step.config)) as Config), ...Object.fromEntries(inner) }
    }
  })

/** A copy behind the step. */
export const duplicateStep = (steps: Steps, id: string, mint: () => string) => {
  const step = stepOf(steps, id)
  const stepPlace = placeOf(steps, id)
  if (step === undefined || stepPlace === undefined) return undefined
  const [copy] = copied([step], mint)
  return { steps: insertAt(steps, { ...stepPlace, index: stepPlace.index + 1 }, [copy!]), id: copy!.id }
}
