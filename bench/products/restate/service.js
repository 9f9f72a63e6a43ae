// The peer of the row sync-webhook: a handler of Restate with three durable steps, called through the ingress and answered with its result.
import { createServer } from "node:http2"
import { createEndpointHandler, service } from "@restatedev/restate-sdk"

const orders = service({
  name: "orders",
  handlers: {
    accept: async (context, { count, price }) => {
      const total = await context.run("total", () => count * price)
      const parcels = await context.run("parcels", () => Math.ceil(count / 25))
      const label = await context.run("label", () => `${parcels} for ${total}`)
      return { label }
    }
  }
})

createServer(createEndpointHandler({ services: [orders] })).listen(Number(process.env.PORT), "127.0.0.1")
