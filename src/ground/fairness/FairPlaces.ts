// Places of which there are few, given to owners (organizations) in turn (decisions A22): one alone may use all of them,
// whoever holds none finds one in the reserve, and who waits is served before those who hold more.
import { Effect, Schema } from "effect"

/** So many of this owner wait already that one more is refused at once. */
export class PlacesFull extends Schema.TaggedError<PlacesFull>()("PlacesFull", {}) {}

export interface FairPlacesOptions {
  /** What one owner may hold, and all together while each holds one at most from the reserve; asked anew where it changes. */
  readonly places: number | (() => number)
  /** Further places, only for owners that hold none. */
  readonly reserve: number
  /** How many of one owner may wait in `tryUse`; without it any number. */
  readonly waiting?: number
}

/** An owner is an organization's id, or a key of another kind (a source address, `installation`). */
export type Owner = number | string

export interface FairPlaces {
  /**
   * Waits for its turn, however long; the place goes back when the effect ends, however it ends.
   * @param part of the owner, as an app: an owner's parts take turns, too
   */
  readonly use: (owner: Owner, part?: Owner) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The same, refused at once when too many of this owner wait. */
  readonly tryUse: (owner: Owner) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | PlacesFull, R>
  /** What gauges show. */
  readonly state: () => { readonly taken: number; readonly waiting: number; readonly owners: number }
  /** Places as they are now, without the reserve. */
  readonly limit: () => number
}

interface Line {
  held: number
  /** The turn in which it was served last; 0 for never. */
  served: number
  /** What its parts hold. */
  readonly parts: Map<Owner, number>
  readonly waiting: Array<{ readonly part: Owner; readonly served: () => void }>
}

export const makeFairPlaces = ({ places, reserve, waiting: longest = Infinity }: FairPlacesOptions): FairPlaces => {
  /** Owners that hold or wait. */
  const lines = new Map<Owner, Line>()
  const most = () => (typeof places === "number" ? places : places())
  let turn = 0
  let taken = 0
  let waiting = 0

  const lineOf = (owner: Owner): Line => {
    const known = lines.get(owner)
    if (known !== undefined) return known
    const made: Line = { held: 0, served: 0, parts: new Map(), waiting: [] }
    lines.set(owner, made)
    return made
  }
  const free = (line: Line) => taken < (line.held === 0 ? most() + reserve : most())
  const take = (line: Line, part: Owner) => {
    line.held++
    line.parts.set(part, (line.parts.get(part) ?? 0) + 1)
    line.served = ++turn
    taken++
  }

  /** Who is next: of those that wait, who holds the fewest; among equals the one served longest ago. */
  const next = (): Line | undefined => {
    let found: Line | undefined
    for (const line of lines.values())
      if (
        line.waiting.length > 0 &&
        (found === undefined || line.held < found.held || (line.held === found.held && line.served < found.served))
      )
        found = line
    return found
  }

  /** Takes the one whose part holds the fewest, the first among equals, out of the line. */
  const nextOf = ({ parts, waiting }: Line) => {
    let at = 0
    const held = (i: number) => parts.get(waiting[i]!.part) ?? 0
    for (let i = 1; i < waiting.length && held(at) > 0; i++) if (held(i) < held(at)) at = i
    return waiting.splice(at, 1)[0]!
  }

  const release = (owner: Owner, line: Line, part: Owner) => {
    const left = line.parts.get(part)! - 1
    if (left === 0) line.parts.delete(part)
    else line.parts.set(part, left)
    line.held--
    taken--
    for (let found = next(); found !== undefined && free(found); found = next()) {
      waiting--
      const one = nextOf(found)
      take(found, one.part)
      one.served()
    }
    if (line.held === 0 && line.waiting.length === 0) lines.delete(owner)
  }

  const enter = (owner: Owner, part: Owner): Effect.Effect<Line> =>
    Effect.callback((resume) => {
      const line = lineOf(owner)
      if (line.waiting.length === 0 && free(line)) {
        take(line, part)
        return resume(Effect.succeed(line))
      }
      const one = { part, served: () => resume(Effect.succeed(line)) }
      line.waiting.push(one)
      waiting++
      return Effect.sync(() => {
        const at = line.waiting.indexOf(one)
        // Served in the instant in which it was interrupted: the place goes back.
        if (at < 0) return release(owner, line, part)
        line.waiting.splice(at, 1)
        waiting--
        if (line.held === 0 && line.waiting.length === 0) lines.delete(owner)
      })
    })

  const use =
    (owner: Owner, part: Owner = owner) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.interruptible(enter(owner, part)),
        () => effect,
        (line) => Effect.sync(() => release(owner, line, part))
      )

  return {
    use,
    tryUse: (owner) => (effect) =>
      Effect.suspend(
        (): Effect.Effect<
          Effect.Success<typeof effect>,
          Effect.Error<typeof effect> | PlacesFull,
          Effect.Services<typeof effect>
        > => {
          const line = lines.get(owner)
          return line !== undefined && line.waiting.length >= longest
            ? Effect.fail(new PlacesFull())
            : use(owner)(effect)
        }
      ),
    state: () => ({ taken, waiting, owners: lines.size }),
    limit: most
  }
}
