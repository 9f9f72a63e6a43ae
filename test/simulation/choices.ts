// What may happen next in a schedule: a statement, a message, the start of an activity, an answer of a receiver, a change, a fault.
import type { GatedSession } from "./GatedSession.ts"
import type { Request } from "./receivers.ts"
import type { Message, Task } from "./SimulatedTemporal.ts"
import type { Attempt, Stage } from "./stage.ts"

/** Chances of a statement: that its process dies there, and that its connection breaks. */
const DEATH = 0.02
const BREAK = 0.02
const TEXT_LENGTH = 80
/** Share of the decisions in which time moves on although somebody could act. */
const HURRY = 0.02

interface Choice {
  readonly weight: number
  readonly take: () => unknown
}

const brief = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, TEXT_LENGTH)

/** A statement goes to the server. If a fault meets it, before or after the server has done it, nobody hears the answer. */
const statement =
  ({ draws, gate, kill, processes, say, state }: Stage, session: GatedSession) =>
  async () => {
    const process = processes().find(({ owner }) => session.name.startsWith(`${owner}.`))
    const isFault = process !== undefined && state.faults > 0 && draws.chance(DEATH + BREAK)
    say(`${session.name}: ${brief(session.waiting[0]!.text)}`)
    if (!isFault) return gate.release(session)
    state.faults--
    if (draws.chance(0.5)) {
      session.deafen()
      gate.release(session)
      await gate.settle()
    }
    if (draws.chance(DEATH / (DEATH + BREAK))) return kill(process)
    state.interruptions++
    say(`${session.name} breaks`)
    session.break()
  }

const deliver = ({ answer, deliver: run }: Message, times: number, isHeard: boolean) => {
  for (let count = 0; count < times; count++) {
    try {
      const value = run()
      if (isHeard) answer?.resolve(value)
    } catch (error) {
      if (isHeard) answer?.reject(error)
    }
  }
  if (!isHeard) answer?.reject(new Error("no answer"))
}

/** A message arrives, or does not, or twice, or its sender does not hear that it has. The end of an activity is sent until it is heard. */
const message =
  ({ draws, drawn, say, temporal }: Stage, one: Message) =>
  () => {
    temporal.messages.splice(temporal.messages.indexOf(one), 1)
    const fails = draws.chance(drawn.lossy) && !one.what.startsWith("end of")
    const fate = fails ? draws.pick(["lost", "doubled", "unheard"] as const) : "delivered"
    say(`${one.what} of ${one.owner}: ${fate}`)
    deliver(one, fate === "lost" ? 0 : fate === "doubled" ? 2 : 1, fate === "delivered" || fate === "doubled")
  }

const answer =
  ({ draws, drawn, say }: Stage, request: Request) =>
  () => {
    const status = draws.chance(drawn.failing) ? draws.pick([500, 503, "lost", 410] as const) : 204
    say(`${request.path} answers ${request.id} of ${request.owner}: ${status}`)
    request.answer(status)
  }

const taking =
  ({ draws, processes, take }: Stage, task: Task) =>
  () =>
    take(task, draws.pick(processes()))

/** Temporal misses a process that lives, and gives its activity to another: both are at work. */
const missing =
  ({ miss, say, state }: Stage, attempt: Attempt) =>
  () => {
    state.faults--
    state.interruptions++
    say(`${attempt.task.name} of ${attempt.owner} is given to another`)
    miss(attempt, 1)
  }

const choicesOf = (stage: Stage): ReadonlyArray<Choice> => {
  const { attempts, changes, gate, isAlive, receivers, say, state, temporal, writer } = stage
  const messages = temporal.messages.filter(({ owner }) => owner === writer.owner || isAlive(owner))
  const change = () => {
    say("a change")
    writer.write(changes.shift() as never)
  }
  return [
    ...gate.ready().map((session) => ({ weight: 4, take: statement(stage, session) })),
    ...messages.map((one) => ({ weight: 2, take: message(stage, one) })),
    ...temporal.tasks.map((task) => ({ weight: 2, take: taking(stage, task) })),
    ...receivers.open(isAlive).map((request) => ({ weight: 1, take: answer(stage, request) })),
    ...(changes.length > 0 && !writer.isBusy() ? [{ weight: 0.5, take: change }] : []),
    ...(state.faults > 0 ? [...attempts].map((attempt) => ({ weight: 0.02, take: missing(stage, attempt) })) : [])
  ]
}

/** Lets one of them happen; false if nobody can act before time moves on. Moments in which nobody can act cost no draw. */
export const takeOne = async (stage: Stage): Promise<boolean> => {
  const choices = choicesOf(stage)
  if (choices.length === 0) return false
  if (stage.draws.chance(HURRY) && stage.time.hurry()) return true
  let at = stage.draws.next() * choices.reduce((sum, { weight }) => sum + weight, 0)
  const choice = choices.find(({ weight }) => {
    at -= weight
    return at < 0
  })
  await (choice ?? choices.at(-1)!).take()
  return true
}
