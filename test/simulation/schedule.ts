// One schedule: from its seed it draws what is done and what goes wrong, and lets one thing happen after the other until nothing is left to do.
import { setTimeout as delay } from "node:timers/promises"
import { Effect, Redacted } from "effect"
import { automationRun } from "../../workflows/run.ts"
import { automationsApp, calendar, webhooksApp } from "../../workflows/actor.ts"
import { makeDraws } from "./draws.ts"
import { type DrawnWorld, drawWorld } from "./drawnWorld.ts"
import { makeGate } from "./Gate.ts"
import { type Process, startProcess, type Surroundings } from "./processes.ts"
import { makeReceivers, type Request } from "./receivers.ts"
import { makeTemporal, type Message, type Task, type Workflow } from "./SimulatedTemporal.ts"
import { installTime, makeVirtualTime } from "./virtualTime.ts"
import { useTemporal } from "./workflowApi.ts"
import { HOOKS, RECORDS, type World } from "./world.ts"
import { makeWriter, type Written } from "./writer.ts"

const workflows = { automationRun, automationsApp, calendar, webhooksApp } as unknown as Readonly<
  Record<string, Workflow>
>

/** Decisions after which a schedule has to be over. */
const STEPS = 20_000
/** Retries, pauses and takeovers take minutes; an hour of them is standing still. */
const LONGEST_MILLIS = 3_600_000
const RETRY_MILLIS = 1_000
const MISSED_MILLIS = 10_000
/** Share of the decisions in which time moves on although somebody could act. */
const HURRY = 0.02

interface Choice {
  readonly weight: number
  readonly what: string
  readonly take: () => unknown
}

/** What a schedule leaves to be judged. */
export interface Outcome {
  readonly seed: number
  readonly drawn: DrawnWorld
  readonly trace: ReadonlyArray<string>
  readonly written: ReadonlyArray<Written>
  readonly requests: ReadonlyArray<Request>
  /** How often work was interrupted whose answer may have been lost with it. */
  readonly interruptions: number
  readonly drained: boolean
}

export const runSchedule = Effect.fnUntraced(function* (world: World, seed: number) {
  const draws = makeDraws(seed)
  const drawn = drawWorld(draws, { hooks: HOOKS, records: RECORDS })
  yield* world.reset(drawn)
  const time = makeVirtualTime()
  const restore = installTime(time)
  return yield* Effect.ensuring(
    Effect.promise(() => execute(world, seed, draws, drawn, time)),
    Effect.sync(restore)
  )
})

const execute = async (
  world: World,
  seed: number,
  draws: ReturnType<typeof makeDraws>,
  drawn: DrawnWorld,
  time: ReturnType<typeof makeVirtualTime>
): Promise<Outcome> => {
  const { hostname: host, port } = new URL(world.url)
  const gate = makeGate({ host, port: Number(port) }, world.watch)
  const receivers = makeReceivers(gate.touch)
  const temporal = makeTemporal(time, workflows)
  useTemporal(temporal)
  const surroundings: Surroundings = { url: Redacted.make(world.url), gate, time, temporal, receivers, draws }
  const trace: Array<string> = []
  let processes: Array<Process> = []
  let started = 0
  let faults = drawn.faults
  let interruptions = 0
  const say = (line: string) => trace.push(`${time.elapsed()} ${line}`)
  const isAlive = (owner: string) => processes.some((one) => one.owner === owner && one.isAlive)

  const poke = () => {
    for (const { owner, poke: pokeRelay } of processes)
      temporal.messages.push({ what: `poke ${owner}`, owner, deliver: () => pokeRelay?.() })
  }
  const writer = makeWriter(surroundings, world, poke)
  const changes = [...drawn.changes]

  const start = async () => {
    const process = startProcess(surroundings, `p${++started}`)
    processes.push(process)
    for (;;) {
      await gate.settle()
      if (process.activities !== undefined) return
      const [line] = gate.ready()
      if (line === undefined) await delay(1)
      else gate.release(line)
    }
  }

  const kill = async (process: Process) => {
    process.isAlive = false
    interruptions++
    say(`${process.owner} dies`)
    await gate.cutAll(process.owner)
    processes = processes.filter((other) => other !== process)
    for (const running of [...runningTasks]) if (running.owner === process.owner) miss(running, MISSED_MILLIS)
    await start()
  }

  interface Running {
    readonly task: Task
    readonly owner: string
  }
  const runningTasks = new Set<Running>()

  /** Temporal hears nothing more of the attempt, and gives the activity to another. */
  const miss = (running: Running, millis: number) => {
    runningTasks.delete(running)
    const { task } = running
    task.isOver = true
    time.after(millis, () => {
      temporal.tasks.push({ ...task, attempt: task.attempt + 1, isOver: false })
      gate.touch()
    })
  }

  const takeTask = (task: Task, { activities, owner }: Process) => {
    temporal.tasks.splice(temporal.tasks.indexOf(task), 1)
    const running = { task, owner }
    runningTasks.add(running)
    const end = (settleTask: () => void) => {
      if (task.isOver || !isAlive(owner)) return
      temporal.messages.push({
        what: `end of ${task.name} ${task.execution.id}`,
        owner,
        deliver: () => {
          if (task.isOver) return
          task.isOver = true
          runningTasks.delete(running)
          settleTask()
        }
      })
      gate.touch()
    }
    const run = activities![task.name]!
    run(...(task.args as ReadonlyArray<never>)).then(
      (result) => end(() => task.resolve(result)),
      (error) => {
        say(`${owner}: ${task.name} fails: ${error?._tag ?? error}`)
        if (task.isOver || !isAlive(owner)) return
        miss(running, RETRY_MILLIS)
      }
    )
  }

  const deliver = (message: Message, times: number, heard: boolean) => {
    for (let count = 0; count < times; count++) {
      try {
        const value = message.deliver()
        if (count === 0 && heard) message.answer?.resolve(value)
      } catch (error) {
        if (count === 0 && heard) message.answer?.reject(error)
      }
    }
    if (!heard) message.answer?.reject(new Error("unavailable"))
  }
  const takeMessage = (message: Message) => {
    temporal.messages.splice(temporal.messages.indexOf(message), 1)
    const isLossy = draws.chance(drawn.lossy)
    const how = isLossy ? draws.pick(["lost", "doubled", "unheard"] as const) : "delivered"
    // Temporal keeps what it has acknowledged; the result of an activity is sent until it is.
    const fate = message.what.startsWith("end of") ? "delivered" : how
    say(`${message.what} of ${message.owner}: ${fate}`)
    deliver(message, fate === "lost" ? 0 : fate === "doubled" ? 2 : 1, fate === "delivered" || fate === "doubled")
  }

  const answerRequest = (request: Request) => {
    const status = draws.chance(drawn.failing) ? draws.pick([500, 503, "lost", 410] as const) : 204
    say(`${request.path} answers ${request.id} of ${request.owner}: ${status}`)
    request.answer(status)
  }

  const choices = (): Array<Choice> => {
    const list: Array<Choice> = []
    for (const line of gate.ready())
      list.push({
        weight: 4,
        what: "",
        take: async () => {
          const process = processes.find(({ owner }) => line.name.startsWith(`${owner}.`))
          const dies = faults > 0 && process !== undefined && draws.chance(0.02)
          const breaks = !dies && faults > 0 && process !== undefined && draws.chance(0.02)
          const isDone = draws.chance(0.5)
          say(`${line.name}: ${line.waiting[0]!.text.replaceAll(/\s+/g, " ").trim().slice(0, 80)}`)
          if (!dies && !breaks) return gate.release(line)
          faults--
          if (isDone) {
            line.deafen()
            gate.release(line)
            await gate.settle()
          }
          if (dies) return kill(process)
          interruptions++
          say(`${line.name} breaks`)
          line.break()
        }
      })
    for (const message of temporal.messages.filter(({ owner }) => owner === "w" || isAlive(owner)))
      list.push({ weight: 2, what: "", take: () => takeMessage(message) })
    for (const task of temporal.tasks)
      list.push({
        weight: 2,
        what: "",
        take: () => {
          const process = draws.pick(processes)
          say(`${process.owner} takes ${task.name} ${task.execution.id}, attempt ${task.attempt}`)
          takeTask(task, process)
        }
      })
    for (const request of receivers.open(isAlive))
      list.push({ weight: 1, what: "", take: () => answerRequest(request) })
    if (changes.length > 0 && !writer.isBusy())
      list.push({
        weight: 0.5,
        what: "",
        take: () => {
          say("a change")
          writer.write(changes.shift()!)
        }
      })
    if (faults > 0)
      for (const running of runningTasks)
        list.push({
          weight: 0.02,
          what: "",
          take: () => {
            faults--
            interruptions++
            say(`${running.task.name} of ${running.owner} is given to another`)
            miss(running, 1)
          }
        })
    return list
  }

  const take = async (list: ReadonlyArray<Choice>) => {
    let at = draws.next() * list.reduce((sum, { weight }) => sum + weight, 0)
    for (const choice of list) {
      at -= choice.weight
      if (at < 0) return choice.take()
    }
    return list.at(-1)!.take()
  }

  let drained = false
  let looked = 0
  try {
    for (let count = 0; count < drawn.processes; count++) await start()
    for (let step = 0; step < STEPS && time.elapsed() < LONGEST_MILLIS; step++) {
      await gate.settle()
      const list = choices()
      if (list.length > 0 && !draws.chance(HURRY)) {
        await take(list)
        continue
      }
      if (list.length === 0 && changes.length === 0 && trace.length > looked) {
        looked = trace.length
        drained = await world.isDrained()
        if (drained) break
      }
      time.advance()
    }
    await gate.settle()
  } finally {
    for (const process of processes) {
      process.isAlive = false
      await gate.cutAll(process.owner)
    }
    await gate.cutAll("w")
    await gate.settle()
    useTemporal(undefined)
  }
  return { seed, drawn, trace, written: writer.written, requests: receivers.requests, interruptions, drained }
}

