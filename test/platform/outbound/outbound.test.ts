// decisions W9 and issue "webhooks": the guarded client against real sockets.
import { createSocket } from "node:dgram"
import { readFileSync } from "node:fs"
import { createServer as createHttpServer, type Server } from "node:http"
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { refusalOf, refusalOfName } from "../../../src/platform/outbound/connectionRules.ts"
import { Outbound, type OutboundOptions } from "../../../src/platform/outbound/Outbound.ts"
import { type Policy, policies } from "../../../src/platform/outbound/policies.ts"
import { makeResolve, type Resolve } from "../../../src/platform/outbound/resolveHost.ts"
import { eventually } from "../../support/eventually.ts"
import { answers, receiver } from "../../support/receiver.ts"

const pem = (name: string) => readFileSync(new URL(`../../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")
const tls = { key: pem("key"), cert: pem("cert") }
const patient: Policy = { ...policies.webhook, headers: Duration.seconds(10), body: Duration.millis(300) }
/** For receivers that never answer. */
const quick: Policy = { ...patient, headers: Duration.millis(600) }

const post = (url: string, options: OutboundOptions, policy: Policy = patient) =>
  Effect.gen(function* () {
    const outbound = yield* Outbound
    return yield* outbound.request({ method: "POST", url, body: "{}", policy })
  }).pipe(Effect.provide(Outbound.layerWith(options)))

const reasonOf = (url: string, options: OutboundOptions, policy?: Policy) =>
  post(url, options, policy).pipe(
    Effect.flip,
    Effect.map((error) => error.reason)
  )

/** A port that listens and accepts nobody, its backlog full: whoever connects waits. */
const full = Effect.acquireRelease(
  Effect.promise(async () => {
    const deaf = `const { parentPort } = require("node:worker_threads")
      const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
        parentPort.postMessage(server.address().port)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      })`
    const worker = new Worker(deaf, { eval: true })
    const port = await new Promise<number>((resolve) => worker.once("message", resolve))
    const clients: Array<Socket> = []
    // Linux holds one more than the backlog.
    for (let i = 0; i < 2; i++) {
      const socket = dial(port, "127.0.0.1")
      clients.push(socket)
      await new Promise((resolve) => socket.once("connect", resolve))
    }
    return { port, worker, waiting: clients }
  }),
  ({ waiting, worker }) =>
    Effect.promise(() => {
      for (const socket of waiting) socket.destroy()
      return worker.terminate()
    })
)

const nothing: OutboundOptions = { allow: new Set() }
const resolvesTo =
  (...addresses: ReadonlyArray<string>): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

describe("addresses (W9)", () => {
  it.effect.each([
    ...["127.0.0.1", "127.1", "127.0.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "0177.0.0.1", "017700000001"],
    ...["127.0.0.1.", "127.1.", "127.255.255.254", "①②⑦.0.0.1", "127%2e0.0.1", "0", "0.0.0.0", "0x0"],
    ...[
      "10.0.0.1",
      "012.0.0.1",
      "167772161",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "3232235777",
      "192.168.257"
    ],
    ...["169.254.169.254", "0xa9fea9fe", "2852039166", "169.254.43518", "100.64.0.1", "100.127.255.255"],
    ...["168.63.129.16", "192.0.0.192", "198.18.0.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
    ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]"],
    ...["[::ffff:93.184.215.14]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]"],
    ...["[64:ff9b:1::a00:1]", "[2002:7f00:1::]", "[2002:a00:1::1]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]"],
    ...[
      "[fc00::1]",
      "[fd00:ec2::254]",
      "[fe80::1]",
      "[febf::1]",
      "[fec0::1]",
      "[ff02::1]",
      "[100::1]",
      "[2001:db8::1]"
    ],
    ...["[2001:20::1]", "[3fff::1]", "[5f00::1]", "[4000::1]"]
  ])("refuses the literal %s", (host) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf(`http://${host}/`, nothing), "address_refused")
    })
  )

  it.effect.each([
    ...["127.0.0.1", "10.1.2.3", "192.168.0.9", "169.254.169.254", "100.100.100.200", "::1", "::ffff:10.0.0.1"],
    ...["64:ff9b::7f00:1", "fd00:ec2::254", "fe80::1%eth0", "2002:a00:1::1", "0.0.0.0"]
  ])("refuses a name that resolves to %s, also beside a public address", (address) =>
    Effect.gen(function* () {
      const singleAddress = { allow: new Set<string>(), resolve: resolvesTo(address) }
      const both = { allow: new Set<string>(), resolve: resolvesTo("93.184.215.14", address) }
      assert.strictEqual(yield* reasonOf("http://hooks.example.com/", singleAddress), "address_refused")
      assert.strictEqual(yield* reasonOf("http://hooks.example.com/", both), "address_refused")
    })
  )

  it.effect.each([
    ...[
      "localhost",
      "localhost.",
      "LocalHost.",
      "a.localhost",
      "a.localhost.",
      "localhost.localdomain",
      "ｌｏｃａｌｈｏｓｔ"
    ],
    ...[
      "localhost%2e",
      "printer.local",
      "nas.home.arpa",
      "metadata.google.internal",
      "db.internal.",
      "127.0.0.1.",
      "0x7f.1."
    ]
  ])("refuses %s, a name of this machine or its network, unasked, whatever a name server says", (name) =>
    Effect.gen(function* () {
      const lying = { allow: new Set<string>(), resolve: resolvesTo("93.184.215.14") }
      assert.strictEqual(yield* reasonOf(`http://${name}/`, lying), "address_refused")
    })
  )

  it.effect("lets names pass that only look like them", () =>
    Effect.gen(function* () {
      const lying = { allow: new Set<string>(), resolve: resolvesTo("10.0.0.1", "93.184.215.14") }
      for (const name of ["localhost.example.com", "notlocalhost.com", "local.example", "internal.example."])
        assert.isNull(refusalOfName(name), name)
      assert.strictEqual(yield* reasonOf("http://localhost.example.com/", lying), "address_refused")
    })
  )

  it("lets public addresses pass", () => {
    for (const address of ["93.184.215.14", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"])
      assert.isNull(refusalOf(address), address)
  })

  it.live("connects to the address that was checked, whatever the name server says next", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      const port = target.hostPort.split(":")[1]
      const name = `hooks.example.com:${port}`
      let lookupCount = 0
      // The system cannot resolve this name: what arrives went to the address that the check saw.
      const resolve: Resolve = async () => {
        lookupCount++
        return [{ address: "127.0.0.1", family: 4 }]
      }
      assert.strictEqual((yield* post(`http://${name}/`, { allow: new Set([name]), resolve })).status, 204)
      assert.strictEqual(lookupCount, 1)
      assert.lengthOf(target.received, 1)
      // The check at creation saw a public address; the next answer is private: no connection.
      const answers = [["93.184.215.14"], ["127.0.0.1"]]
      const changing: Resolve = async () => answers.shift()!.map((address) => ({ address, family: 4 }))
      const reason = yield* Effect.gen(function* () {
        const outbound = yield* Outbound
        yield* outbound.check("http://hooks.example.com/")
        return yield* Effect.flip(
          outbound.request({ method: "POST", url: "http://hooks.example.com/", policy: patient })
        )
      }).pipe(Effect.provide(Outbound.layerWith({ allow: new Set(), resolve: changing })))
      assert.strictEqual(reason.reason, "address_refused")
    })
  )
})

/** A name server that answers with one address of each family, says that `nowhere…` is none, or keeps silent. */
const nameServer = (addresses: { readonly a: string; readonly aaaa: string } | "silent") =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly at: string; readonly stop: () => void }>((resolve) => {
          const socket = createSocket("udp4")
          socket.on("message", (query, from) => {
            if (addresses === "silent") return
            const question = query.subarray(12, query.indexOf(0, 12) + 5)
            const isV4 = question.readUInt16BE(question.length - 4) === 1
            const nowhere = question.includes("nowhere")
            const data = isV4 ? addresses.a.split(".").map(Number) : [...Array.from({ length: 15 }, () => 0), 1]
            const answer = Buffer.from([0xc0, 12, 0, isV4 ? 1 : 28, 0, 1, 0, 0, 0, 9, 0, data.length, ...data])
            const flags = [query[0]!, query[1]!, 0x81, nowhere ? 0x83 : 0x80]
            const header = Buffer.from([...flags, 0, 1, 0, nowhere ? 0 : 1, 0, 0, 0, 0])
            socket.send(Buffer.concat([header, question, ...(nowhere ? [] : [answer])]), from.port, from.address)
          })
          socket.bind(0, "127.0.0.1", () =>
            resolve({ at: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() })
          )
        })
    ),
    ({ stop }) => Effect.sync(stop)
  )

describe("names (W4, W9)", () => {
  it.live("are asked for in both families; a private one of two refuses the name; one that leads nowhere says so", () =>
    Effect.gen(function* () {
      const { at } = yield* nameServer({ a: "93.184.215.14", aaaa: "::1" })
      const resolve = makeResolve({ servers: [at] })
      assert.deepStrictEqual(yield* Effect.promise(() => resolve("hooks.example.com")), [
        { address: "93.184.215.14", family: 4 },
        { address: "::1", family: 6 }
      ])
      const options = { allow: new Set<string>(), resolve }
      assert.strictEqual(yield* reasonOf("http://hooks.example.com/", options), "address_refused")
      assert.strictEqual(yield* reasonOf("http://nowhere.example.com/", options), "dns_failed")
    })
  )

  it.live("whose servers keep silent hold up no other name, and end as dns_unavailable", () =>
    Effect.gen(function* () {
      const { at } = yield* nameServer("silent")
      const resolve = makeResolve({ servers: [at], timeoutMillis: 1_500 })
      const silent = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 8 }, (_, i) =>
            reasonOf(`http://hooks${i}.example.com/`, { allow: new Set(), resolve }, patient)
          ),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.sleep("50 millis")
      const target = yield* receiver()
      const name = `localhost:${target.hostPort.split(":")[1]}`
      assert.strictEqual((yield* post(`http://${name}/`, { allow: new Set([name]) })).status, 204)
      assert.isUndefined(silent.pollUnsafe())
      assert.deepStrictEqual(new Set(yield* Fiber.join(silent)), new Set(["dns_unavailable"]))
    })
  )
})

describe("URLs and ports (service.md 8)", () => {
  it.effect.each([
    ["ftp://example.com/", "invalid_url"],
    ["file:///etc/passwd", "invalid_url"],
    ["//example.com/", "invalid_url"],
    ["http://", "invalid_url"],
    ["http://user@example.com/", "invalid_url"],
    ["http://user:word@example.com/", "invalid_url"],
    [`http://example.com/${"a".repeat(2000)}`, "invalid_url"],
    ["http://example.com:8080/", "port_refused"],
    ["https://example.com:22/", "port_refused"],
    ["http://1.2.3.4.5/", "invalid_url"]
  ] as const)("refuses %s as %s", ([url, reason]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf(url, nothing), reason)
    })
  )

  it.live("OUTBOUND_ALLOW excepts exactly one host and port", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      const options = { allow: new Set([target.hostPort]) }
      assert.strictEqual((yield* post(`${target.origin}/x`, options)).status, 204)
      const port = Number(target.hostPort.split(":")[1])
      assert.strictEqual(yield* reasonOf(`http://localhost:${port}/x`, options), "port_refused")
      assert.strictEqual(yield* reasonOf("http://127.0.0.1/x", options), "address_refused")
    })
  )

  it.live(
    "OUTBOUND_ALLOW takes an IPv6 address as it stands in the URL, when it is checked and when it is connected to",
    () =>
      Effect.gen(function* () {
        const server = yield* Effect.acquireRelease(
          Effect.promise(
            () =>
              new Promise<Server>((resolve) => {
                const listening = createHttpServer((_request, response) => response.end("six")).listen(0, "::1", () =>
                  resolve(listening)
                )
              })
          ),
          (listening) => Effect.sync(() => listening.close())
        )
        const { port } = server.address() as AddressInfo
        const url = `http://[::1]:${port}/x`
        assert.strictEqual((yield* post(url, { allow: new Set([`[::1]:${port}`]) })).status, 200)
        assert.strictEqual(yield* reasonOf(url, { allow: new Set([`[::1]:${port + 1}`]) }), "port_refused")
        assert.strictEqual(yield* reasonOf("http://[::1]/x", { allow: new Set([`[::1]:${port}`]) }), "address_refused")
      })
  )
})

describe("answers and failures (W1)", () => {
  it.live("reads status, headers and body", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      target.on("/a", answers.status(201, { "X-Test": "yes" }, "made"))
      const answer = yield* post(`${target.origin}/a`, { allow: new Set([target.hostPort]) })
      assert.deepStrictEqual(
        [answer.status, answer.headers["x-test"], Buffer.from(answer.body).toString(), answer.truncated],
        [201, "yes", "made", false]
      )
      assert.strictEqual(target.received[0]?.body, "{}")
    })
  )

  it.live("cuts a slow or long body, or fails, as the policy says", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      const options = { allow: new Set([target.hostPort]) }
      target.on("/slow", answers.slowBody)
      target.on("/big", answers.bigBody(200_000))
      const slow = yield* post(`${target.origin}/slow`, options)
      assert.deepStrictEqual([slow.status, slow.truncated], [200, true])
      const big = yield* post(`${target.origin}/big`, options)
      assert.deepStrictEqual([big.body.byteLength, big.truncated], [64 * 1024, true])
      const strict: Policy = { ...patient, overrun: "fail" }
      assert.strictEqual(yield* reasonOf(`${target.origin}/slow`, options, strict), "timeout")
      assert.strictEqual(yield* reasonOf(`${target.origin}/big`, options, strict), "too_large")
    })
  )

  it.live("names resets, refusals, silence, nonsense and unknown hosts", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      const options = { allow: new Set([target.hostPort, "127.0.0.1:1"]) }
      target.on("/mid", answers.resetMidAnswer)
      target.on("/before", answers.resetBeforeAnswer)
      target.on("/hang", answers.hang)
      target.on("/garbage", answers.garbage)
      assert.strictEqual(yield* reasonOf(`${target.origin}/mid`, options), "connection_reset")
      assert.strictEqual(yield* reasonOf(`${target.origin}/before`, options), "connection_reset")
      assert.strictEqual(yield* reasonOf(`${target.origin}/hang`, options, quick), "timeout")
      assert.strictEqual(yield* reasonOf(`${target.origin}/garbage`, options), "protocol_error")
      assert.strictEqual(yield* reasonOf("http://127.0.0.1:1/", options), "connection_refused")
      for (const [code, reason] of [
        ["ENOTFOUND", "dns_failed"],
        ["EAI_AGAIN", "dns_unavailable"]
      ] as const) {
        const resolve: Resolve = () => Promise.reject(Object.assign(new Error(code), { code }))
        assert.strictEqual(yield* reasonOf("http://nobody.invalid/", { allow: new Set(), resolve }), reason)
      }
    })
  )

  it.live("a header that cannot be sent is the request's fault, not the connection's", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      const send = (headers: Record<string, string>) =>
        Effect.gen(function* () {
          const outbound = yield* Outbound
          const request = { method: "POST", url: `${target.origin}/`, body: "{}", headers, policy: patient }
          return (yield* Effect.flip(outbound.request(request))).reason
        }).pipe(Effect.provide(Outbound.layerWith({ allow: new Set([target.hostPort]) })))
      for (const headers of [{ expect: "100-continue" }, { "content-length": "7" }, { "transfer-encoding": "chunked" }])
        assert.strictEqual(yield* send(headers), "invalid_request", JSON.stringify(headers))
      assert.lengthOf(target.received, 0)
    })
  )

  it.live("counts the name look-up in the time to the headers", () =>
    Effect.gen(function* () {
      const resolve: Resolve = () => new Promise(() => {})
      assert.strictEqual(yield* reasonOf("http://slow.example.com/", { allow: new Set(), resolve }, quick), "timeout")
    })
  )

  it.live("a connection that never stands is a failure to connect, after 10 s of a call's 30 (7.6)", () =>
    Effect.gen(function* () {
      const { connect, headers, whole } = policies.httpCall
      assert.deepStrictEqual([connect, headers, whole].map(Duration.toSeconds), [10, 30, 30])
      assert.deepInclude(policies.httpCallRedirects, { connect, headers, whole, redirects: 5 })
      const { port } = yield* full
      const policy: Policy = { ...policies.httpCall, connect: Duration.seconds(1) }
      const [took, error] = yield* Effect.timed(
        Effect.flip(post(`http://127.0.0.1:${port}/`, { allow: new Set([`127.0.0.1:${port}`]) }, policy))
      )
      assert.strictEqual(error.reason, "connection_failed")
      assert.match(error.message, /no connection within 1s/)
      assert.isAtLeast(Duration.toMillis(took), 995)
      // Once connected, the limit is over.
      const target = yield* receiver()
      target.on("/late", answers.delayed(1_500, answers.status(200)))
      assert.strictEqual(
        (yield* post(`${target.origin}/late`, { allow: new Set([target.hostPort]) }, policy)).status,
        200
      )
    })
  )

  it.live("headers, redirects and body share the time of the whole (7.6)", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      target.on("/late", answers.delayed(1_200, answers.slowBody))
      target.on("/first", answers.delayed(1_200, answers.status(302, { location: "/late" })))
      const policy: Policy = { ...policies.httpCallRedirects, whole: Duration.seconds(2) }
      const options = { allow: new Set([target.hostPort]) }
      for (const [path, message] of [
        ["/late", /body did not end in time/],
        ["/first", /no answer/]
      ] as const) {
        const [took, error] = yield* Effect.timed(Effect.flip(post(target.origin + path, options, policy)))
        assert.strictEqual(error.reason, "timeout")
        assert.match(error.message, message)
        assert.isAtLeast(Duration.toMillis(took), 1_995)
      }
    })
  )

  it.live("says what is wrong with a certificate", () =>
    Effect.gen(function* () {
      const target = yield* receiver({ tls })
      const port = target.hostPort.split(":")[1]
      const allow = new Set([target.hostPort, `127.0.0.1:${port}`])
      const unknown = yield* Effect.flip(post(`${target.origin}/`, { allow }))
      assert.match(unknown.label, /^tls_error: depth zero self signed cert$/)
      const otherName = yield* Effect.flip(post(`https://127.0.0.1:${port}/`, { allow, ca: tls.cert }))
      assert.match(otherName.label, /^tls_error: cert altname invalid$/)
      assert.strictEqual((yield* post(`${target.origin}/`, { allow, ca: tls.cert })).status, 204)
    })
  )

  it.live("names a receiver that speaks no TLS", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const plainServer = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"))
              plainServer.listen(0, "127.0.0.1", () => resolve(plainServer))
            })
        ),
        (plain) => Effect.sync(() => plain.close())
      )
      const { port } = server.address() as { port: number }
      const allow = new Set([`127.0.0.1:${port}`])
      assert.strictEqual(yield* reasonOf(`https://127.0.0.1:${port}/`, { allow }), "tls_error")
    })
  )
})

describe("redirects (W1, W9; developer-api.md 7.6)", () => {
  it.live("are answers like any other by default", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      target.on("/a", answers.status(301, { location: "/b" }))
      const answer = yield* post(`${target.origin}/a`, { allow: new Set([target.hostPort]) })
      assert.strictEqual(answer.status, 301)
      assert.lengthOf(target.of("/b"), 0)
    })
  )

  it.live("are checked hop by hop when followed", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      const other = yield* receiver()
      const options = { allow: new Set([target.hostPort]) }
      const following: Policy = { ...patient, redirects: 5 }
      target.on("/private", answers.status(302, { location: `${other.origin}/x` }))
      target.on("/metadata", answers.status(307, { location: "http://169.254.169.254/latest" }))
      target.on("/loop", answers.status(302, { location: "/loop" }))
      target.on("/good", answers.status(303, { location: "/end" }))
      assert.strictEqual(yield* reasonOf(`${target.origin}/private`, options, following), "port_refused")
      assert.strictEqual(yield* reasonOf(`${target.origin}/metadata`, options, following), "address_refused")
      assert.strictEqual(yield* reasonOf(`${target.origin}/loop`, options, following), "too_many_redirects")
      assert.lengthOf(target.of("/loop"), 6)
      const end = yield* post(`${target.origin}/good`, options, following)
      assert.deepStrictEqual([end.status, end.url, target.of("/end")[0]?.method], [204, `${target.origin}/end`, "GET"])
      assert.lengthOf(other.received, 0)
    })
  )

  it.live("images stay with https, on every hop (developer-api.md 7.7 rule 5)", () =>
    Effect.gen(function* () {
      const plainReceiver = yield* receiver()
      const target = yield* receiver({ tls })
      target.on("/image", answers.status(302, { location: `${plainReceiver.origin}/image` }))
      const options = { allow: new Set([target.hostPort, plainReceiver.hostPort]), ca: tls.cert }
      assert.strictEqual((yield* post(`${target.origin}/x`, options, policies.image)).status, 204)
      assert.strictEqual(yield* reasonOf(`${target.origin}/image`, options, policies.image), "invalid_url")
      assert.lengthOf(plainReceiver.received, 0)
    })
  )
})

describe("connections", () => {
  it.live("are kept alive and reused, and closed when idle", () =>
    Effect.gen(function* () {
      const target = yield* receiver()
      yield* Effect.gen(function* () {
        const outbound = yield* Outbound
        for (let i = 0; i < 20; i++)
          yield* outbound.request({ method: "POST", url: `${target.origin}/k`, body: "{}", policy: patient })
        assert.isAtMost(target.sockets.size, 2)
      }).pipe(Effect.provide(Outbound.layerWith({ allow: new Set([target.hostPort]) })))
      yield* eventually(
        "closed",
        Effect.sync(() => target.sockets.size),
        (n) => n === 0
      )
    })
  )
})
