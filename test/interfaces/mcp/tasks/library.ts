// The organization that the tasks are about: a library with books, loans and people.
import { Effect } from "effect"
import { seedUser } from "../../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../../support/records.ts"

const states = ["In", "Out", "Lost"].map((text) => ({ text, color: "gray", means_completed: text === "In" }))

/** Books by number: 12 is long, 4 and 7 are lost, 9 is in the trash. */
export const seedLibrary = Effect.gen(function* () {
  const { owner, orgId, workspaceId } = yield* seedWorkspace
  yield* seedUser(orgId, "member", "Mira Jansen")
  const books = yield* createApp(
    owner,
    workspaceId,
    [
      field("single_text", "Title", undefined, { required: true }),
      field("number", "Pages"),
      field("status", "State", { options: states }),
      field("single_user", "Borrower"),
      field("multi_text", "Notes")
    ],
    "Books",
    { item_name: "Book" }
  )
  const loans = yield* createApp(
    owner,
    workspaceId,
    [
      field("single_relation", "Book", { referenced_apps: [{ app_id: books.app_id }] }, { required: true }),
      field("single_date", "Due")
    ],
    "Loans",
    { item_name: "Loan" }
  )
  const ask = as(owner)
  const bookIds: Array<number> = []
  for (let number = 1; number <= 12; number++) {
    const state = number === 4 || number === 7 ? "Lost" : "In"
    const fields = { title: `Volume ${number}`, pages: number === 12 ? 620 : 100 + number, state }
    bookIds.push((yield* ask("POST", `/v1/record/app/${books.app_id}`, { fields })).json.record_id)
  }
  yield* ask("DELETE", `/v1/record/${bookIds[8]}`)
  yield* ask("POST", `/v1/record/app/${loans.app_id}`, { fields: { book: bookIds[0], due: "2026-12-01" } })
  return { owner, workspaceId, booksId: books.app_id as number, loansId: loans.app_id as number, books: bookIds }
})
