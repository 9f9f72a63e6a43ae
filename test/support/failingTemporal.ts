// A stand-in for Temporal whose port answers and whose store fails, as the SQLite of an older server did for good: it says what it is, and
// every call that reads its store is answered with `interrupted (9)`.
import { Server, ServerCredentials, status } from "@grpc/grpc-js"
import { Effect } from "effect"

const SERVICE = "temporal.api.workflowservice.v1.WorkflowService"
const raw = (bytes: Buffer) => bytes

const method = (name: string) => ({
  path: `/${SERVICE}/${name}`,
  requestStream: false,
  responseStream: false,
  requestSerialize: raw,
  requestDeserialize: raw,
  responseSerialize: raw,
  responseDeserialize: raw
})

const READS = [
  "DescribeNamespace",
  "PollWorkflowTaskQueue",
  "GetWorkflowExecutionHistory",
  "DescribeTaskQueue",
  "CountWorkflowExecutions",
  "ListSchedules",
  "RegisterNamespace"
]

/** Listens at a port of the loopback address, any one for 0; `code` is what its store fails with. */
export const serveFailing = async (wanted: number, code: number = status.UNAVAILABLE) => {
  const server = new Server()
  const definition = Object.fromEntries(["GetSystemInfo", ...READS].map((name) => [name, method(name)]))
  const answers = Object.fromEntries(
    READS.map((name) => [
      name,
      (_: unknown, done: (error: object) => void) => done({ code, details: "interrupted (9)" })
    ])
  )
  server.addService(definition, {
    GetSystemInfo: (_: unknown, done: (error: null, bytes: Buffer) => void) => done(null, Buffer.alloc(0)),
    ...answers
  } as never)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${wanted}`, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error)
    )
  )
  return { server, address: `127.0.0.1:${port}` }
}

export const failingTemporal = (code?: number) =>
  Effect.acquireRelease(
    Effect.promise(() => serveFailing(0, code)),
    ({ server }) => Effect.sync(() => server.forceShutdown())
  )
