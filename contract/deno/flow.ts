// The guide's flow with our own client, whose sources Deno takes as they are.
import { bearer, downloadFile, isApiError, makeClient, type Progress, tableOf, uploadFile } from "@millrace/client"

const equal = (one: unknown, other: unknown) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new Error(`${JSON.stringify(one)} is not ${JSON.stringify(other)}`)
}

const baseUrl = Deno.env.get("MILLRACE_URL")!
const client = makeClient({ baseUrl, credentials: bearer(Deno.env.get("MILLRACE_TOKEN")!) })

const { workspaces } = await client.workspaces.list()
const { app_id } = await client.apps.create({
  body: {
    workspace_id: workspaces[0]!.workspace_id,
    name: "Books",
    fields: [
      { field_type: "single_text", config: { label: "Title" } },
      { field_type: "multi_attachment", config: { label: "Cover" } }
    ]
  }
})

const told: Array<Progress> = []
const bytes = "x".repeat(300_000)
const file = await uploadFile(client.transport, new Blob([bytes]), {
  name: "cover.txt",
  onProgress: (p) => told.push(p)
})
equal(told.at(-1)!.bytes, told.at(-1)!.total)
equal(told.length > 1, true)

const books = tableOf(client, { app_id, fields: { title: "single_text", cover: "multi_attachment" } })
const { record_id } = await books.create({ title: "The Sea", cover: [file.file_id] })
const { values } = await books.update(record_id, { title: "The River" })
equal(values.title, "The River")
// Links name the service's public address, which this one is not heard at.
const { pathname, search } = new URL(file.link)
equal((await (await downloadFile(client.transport, pathname + search)).text()).length, bytes.length)

const titles: Array<string | null> = []
for await (const one of books.each({ sort_by: "title" })) titles.push(one.values.title)
equal(titles, ["The River"])
const missing = await client.records.get({ record_id: 2 ** 40 }).catch((error) => error)
equal(isApiError(missing, "record_not_exists"), true)

await client.webhooks.create({ app_id, body: { url: "https://receiver.example.com/hook", type: "record.create" } })
const { automation } = await client.automations.create({
  app_id,
  body: {
    name: "Nothing",
    trigger: { type: "webhook_received", config: {} },
    actions: [{ type: "exit", config: { exit_type: "success" } }]
  }
})
await client.automations.activate({ automation_id: automation.id })
await client.automationRuns.manualRun({ automation_id: automation.id, body: { webhook_payload: { n: 1 } } })
for (;;) {
  const { automation_runs } = await client.automationRuns.listAutomation({ id: automation.id, body: {} })
  if (automation_runs[0]?.status === "completed") break
  await new Promise((resolve) => setTimeout(resolve, 100))
}
