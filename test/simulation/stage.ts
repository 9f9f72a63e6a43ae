// What a schedule plays on: its processes, what is on its way between them and Temporal, what receivers have got, and what has happened so far.
import { setTimeout as delay } from "node:timers/promises"
import { Redacted } from "effect"
import { automationsApp, calendar, webhooksApp } from "../../workflows/actor.ts"
import { automationRun } from "../../workflows/run.ts"
import { finalFailure, retryMillis } from "./activities.ts"
import type { DrawnWorld } from "./drawnWorld.ts"
import type { Draws } from "./draws.ts"
import { makeGate } from "./Gate.ts"
import { type Process, type Surroundings, startProcess } from "./processes.ts"
import { makeReceivers } from "./receivers.ts"
import { makeTemporal, type Task, type Workflow } from "./SimulatedTemporal.ts"
import type { Plant } from "./sentBytes.ts"
import type { VirtualTime } from "./virtualTime.ts"
import type { World } from "./World.ts"

const workflows = { automationRun, automationsApp, calendar, webhooksApp } as unknown as Readonly<
  Record<string, Workflow>
>

/** Pause before an activity whose process gives no sign of life is given to another, and before one that has failed is tried again. */
const MISSED_MILLIS = 10_000
const RETRY_MILLIS = 1_000

/** An activity that a process has taken. */
export interface Attempt {
  readonly task: Task
  readonly owner: string
}

export const makeStage = (
  world: Pick<World, "env" | "makeWriter" | "reconciles" | "remaining" | "url" | "watch">,
  time: VirtualTime,
  draws: Draws,
  drawn: DrawnWorld,
  plant?: Plant
) => {
  const { hostname: host, port } = new URL(world.url)
  const gate = makeGate({ host, port: Number(port), ...(plant === undefined ? {} : { plant }) }, world.watch)
  const receivers = makeReceivers(gate.touch)
  const temporal = makeTemporal(time, workflows, gate.touch)
  const { env, reconciles } = world
  const surroundings: Surroundings = {
    ...{ url: Redacted.make(world.url), gate, time, temporal, receivers, draws, env, reconciles }
  }
  const trace: Array<string> = []
  const attempts = new Set<Attempt>()
  let processes: ReadonlyArray<Process> = []
  /** Also those that have died. */
  const allProcesses: Array<Process> = []
  let started = 0
  const state = { faults: drawn.faults, interruptions: 0 }

  const say = (line: string) => void trace.push(`${time.elapsed()} ${line}`)
  const isAlive = (owner: string) => processes.some((process) => process.owner === owner)
  const pokeAll = () => {
    for (const { owner, poke } of processes)
      temporal.messages.push({ what: `poke ${owner}`, owner, deliver: () => poke?.() })
  }
  const writer = world.makeWriter(surroundings, pokeAll)

  /** Starts a process; nothing else happens meanwhile. */
  const start = async () => {
    const process = startProcess(surroundings, `p${++started}`)
    processes = [...processes, process]
    allProcesses.push(process)
    for (;;) {
      await gate.settle()
      if (process.activities !== undefined) return
      const [session] = gate.ready()
      if (session === undefined) await delay(1)
      else gate.release(session)
    }
  }

  /** Temporal hears nothing more of the attempt, and gives the activity to another. */
  const miss = (attempt: Attempt, millis: number) => {
    attempts.delete(attempt)
    const { task } = attempt
    task.isOver = true
    time.after(millis, () => {
      if (!task.isWanted()) return
      temporal.tasks.push({ ...task, attempt: task.attempt + 1, isOver: false })
      gate.touch()
    })
  }

  /** Ends a process as a kill does, and starts another in its place. */
  const kill = async (process: Process) => {
    say(`${process.owner} dies`)
    process.isAlive = false
    processes = processes.filter((other) => other !== process)
    state.interruptions++
    await gate.cutAll(process.owner)
    for (const attempt of attempts) if (attempt.owner === process.owner) miss(attempt, MISSED_MILLIS)
    await start()
  }

  const take = (task: Task, { activities, owner }: Process) => {
    say(`${owner} takes ${task.name} ${task.execution.id}, attempt ${task.attempt}`)
    temporal.tasks.splice(temporal.tasks.indexOf(task), 1)
    const attempt: Attempt = { task, owner }
    attempts.add(attempt)
    const end = (finish: () => void) => {
      if (task.isOver || !isAlive(owner)) return
      const deliver = () => {
        if (task.isOver) return
        task.isOver = true
        attempts.delete(attempt)
        finish()
      }
      temporal.messages.push({ what: `end of ${task.name} ${task.execution.id}`, owner, deliver })
      gate.touch()
    }
    activities!(task).then(
      (result) => end(() => task.resolve(result)),
      (error) => {
        if (task.isOver || !isAlive(owner)) return
        say(`${owner}: ${task.name} fails: ${error?._tag ?? error}`)
        const failure = finalFailure(error)
        if (failure === null) miss(attempt, retryMillis(error) ?? RETRY_MILLIS)
        else end(() => task.reject(failure))
      }
    )
  }

  const close = async () => {
    for (const process of processes) process.isAlive = false
    for (const owner of [...processes.map((process) => process.owner), writer.owner]) await gate.cutAll(owner)
    await gate.settle()
    gate.close()
    for (const { free } of allProcesses) free()
    writer.close()
  }

  return {
    ...{ attempts, close, draws, drawn, gate, isAlive, kill, miss, receivers, say, start, state, take, temporal, time },
    ...{ trace, world, writer, processes: () => processes, changes: [...drawn.changes] }
  }
}
export type Stage = ReturnType<typeof makeStage>
