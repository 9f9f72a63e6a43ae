// Every address of the console. Pages are loaded when they are first visited.
import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router"
import { auditSearchIn } from "./pages/admin/auditSearch.ts"
import type { AutomationsSearch } from "./pages/automations/AutomationsPage.tsx"
import { hookSearch } from "./pages/hooks/hookTabs.ts"
import { BrokenPage, NotFoundPage } from "./pages/NotFoundPage.tsx"
import { layoutSearch } from "./pages/records/layouts/layoutSearch.ts"
import type { AppSearch } from "./pages/records/recordQueries.ts"
import type { RunSearch } from "./pages/runs/runSearch.ts"
import { Layout } from "./ui/Layout.tsx"
import { lazyPage } from "./ui/lazyPage.ts"
import { Loading } from "./ui/states.tsx"

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage })

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyPage(() => import("./pages/HomePage.tsx"), "HomePage")
})

const apps = createRoute({
  getParentRoute: () => root,
  path: "/apps",
  component: lazyPage(() => import("./pages/apps/AppsPage.tsx"), "AppsPage")
})

const newApp = createRoute({
  getParentRoute: () => root,
  path: "/apps/new",
  component: lazyPage(() => import("./pages/apps/NewAppPage.tsx"), "NewAppPage")
})

const appSettings = createRoute({
  getParentRoute: () => root,
  path: "/apps/$appId/settings",
  component: lazyPage(() => import("./pages/apps/AppSettingsPage.tsx"), "AppSettingsPage")
})

/** Reads the search parameters of an app's page from the address; ignores others. */
const appSearch = (raw: { readonly [name: string]: unknown }): AppSearch => ({
  ...(typeof raw["view"] === "number" ? { view: raw["view"] } : {}),
  ...(typeof raw["sort"] === "string" ? { sort: raw["sort"] } : {}),
  ...(raw["desc"] === true ? { desc: true } : {}),
  ...(typeof raw["title"] === "string" && raw["title"] !== "" ? { title: raw["title"] } : {}),
  ...(Array.isArray(raw["filters"]) ? { filters: raw["filters"] } : {}),
  ...(Number.isSafeInteger(raw["record"]) ? { record: Number(raw["record"]) } : {}),
  ...layoutSearch(raw)
})

const app = createRoute({
  getParentRoute: () => root,
  path: "/apps/$appId",
  validateSearch: appSearch,
  component: lazyPage(() => import("./pages/records/RecordsPage.tsx"), "RecordsPage")
})

const newRecord = createRoute({
  getParentRoute: () => root,
  path: "/apps/$appId/new",
  component: lazyPage(() => import("./pages/records/NewRecordPage.tsx"), "NewRecordPage")
})

/** The view whose form it is. */
const viewSearch = ({ view }: Record<string, unknown>): { readonly view?: number } =>
  Number.isSafeInteger(view) && Number(view) > 0 ? { view: Number(view) } : {}

const viewForm = createRoute({
  getParentRoute: () => root,
  path: "/apps/$appId/form",
  validateSearch: viewSearch,
  component: lazyPage(() => import("./pages/records/layouts/FormPage.tsx"), "FormPage")
})

/** The import that goes on, or is over. */
const importSearch = ({ job }: Record<string, unknown>): { readonly job?: number } =>
  Number.isSafeInteger(job) && Number(job) > 0 ? { job: Number(job) } : {}

const importRecords = createRoute({
  getParentRoute: () => root,
  path: "/apps/$appId/import",
  validateSearch: importSearch,
  component: lazyPage(() => import("./pages/records/csv/ImportPage.tsx"), "ImportPage")
})

const trash = createRoute({
  getParentRoute: () => root,
  path: "/apps/$appId/trash",
  component: lazyPage(() => import("./pages/records/TrashPage.tsx"), "TrashPage")
})

const record = createRoute({
  getParentRoute: () => root,
  path: "/records/$recordId",
  component: lazyPage(() => import("./pages/records/RecordPage.tsx"), "RecordPage")
})

/** The app that webhooks are of; anything else is left out. */
const appOf = ({ app }: Record<string, unknown>): { readonly app?: number } => {
  const id = Number(app)
  return Number.isSafeInteger(id) && id > 0 ? { app: id } : {}
}

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  validateSearch: appOf,
  component: lazyPage(() => import("./pages/hooks/WebhooksPage.tsx"), "WebhooksPage")
})

const newWebhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/new",
  validateSearch: appOf,
  component: lazyPage(() => import("./pages/hooks/NewHookPage.tsx"), "NewHookPage")
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$hookId",
  validateSearch: hookSearch,
  component: lazyPage(() => import("./pages/hooks/HookPage.tsx"), "HookPage")
})

const isStatus = (raw: unknown): raw is NonNullable<RunSearch["status"]> =>
  ["pending", "running", "completed", "failed", "cancelled"].includes(String(raw))

/** Reads numbers from the address; ignores values of another kind. */
const numbersOf = <const N extends string>(raw: Record<string, unknown>, names: ReadonlyArray<N>) =>
  Object.fromEntries(names.flatMap((name) => (Number.isSafeInteger(raw[name]) ? [[name, raw[name]]] : []))) as {
    readonly [K in N]?: number
  }
const textsOf = <const N extends string>(raw: Record<string, unknown>, names: ReadonlyArray<N>) =>
  Object.fromEntries(
    names.flatMap((name) => (raw[name] === undefined || raw[name] === "" ? [] : [[name, String(raw[name])]]))
  ) as { readonly [K in N]?: string }

const runSearch = (raw: Record<string, unknown>): RunSearch => ({
  ...(isStatus(raw["status"]) ? { status: raw["status"] } : {}),
  ...numbersOf(raw, ["record", "automation", "app", "cause"]),
  ...(Array.isArray(raw["automation"]) && { automation: raw["automation"].filter(Number.isSafeInteger).slice(0, 100) }),
  ...textsOf(raw, ["error", "from", "to"])
})

const isAutomationStatus = (raw: unknown): raw is NonNullable<AutomationsSearch["status"]> =>
  ["draft", "active", "paused", "broken"].includes(String(raw))

const automationsSearch = (raw: Record<string, unknown>): AutomationsSearch => ({
  ...(isAutomationStatus(raw["status"]) ? { status: raw["status"] } : {}),
  ...numbersOf(raw, ["app"]),
  ...textsOf(raw, ["name", "tag"])
})

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: runSearch,
  component: lazyPage(() => import("./pages/runs/RunsPage.tsx"), "RunsPage")
})

/** The item of a loop that is looked at: the loop's step, and the items of that loop and those around it. */
const itemSearch = ({ item, loop }: Record<string, unknown>): { readonly loop?: string; readonly item?: string } =>
  typeof loop === "string" && /^\d{1,4}(?:\.\d{1,4}){0,9}$/.test(String(item)) ? { loop, item: String(item) } : {}

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$runId",
  validateSearch: itemSearch,
  component: lazyPage(() => import("./pages/runs/RunPage.tsx"), "RunPage")
})

const automations = createRoute({
  getParentRoute: () => root,
  path: "/automations",
  validateSearch: automationsSearch,
  component: lazyPage(() => import("./pages/automations/AutomationsPage.tsx"), "AutomationsPage")
})

const automation = createRoute({
  getParentRoute: () => root,
  path: "/automations/$automationId",
  component: lazyPage(() => import("./pages/automations/AutomationPage.tsx"), "AutomationPage")
})

const automationImport = createRoute({
  getParentRoute: () => root,
  path: "/automations/import",
  component: lazyPage(() => import("./pages/automations/ImportPage.tsx"), "ImportPage")
})

const revisions = createRoute({
  getParentRoute: () => root,
  path: "/automations/$automationId/revisions",
  validateSearch: (raw: Record<string, unknown>) => numbersOf(raw, ["version", "against"]),
  component: lazyPage(() => import("./pages/automations/RevisionsPage.tsx"), "RevisionsPage")
})

const admin = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  component: lazyPage(() => import("./pages/admin/AdminStartPage.tsx"), "AdminStartPage")
})

const adminMembers = createRoute({
  getParentRoute: () => root,
  path: "/admin/members",
  validateSearch: ({ invite }: Record<string, unknown>): { readonly invite?: true } =>
    invite === true ? { invite } : {},
  component: lazyPage(() => import("./pages/admin/MembersPage.tsx"), "MembersPage")
})

const adminWorkspaces = createRoute({
  getParentRoute: () => root,
  path: "/admin/workspaces",
  component: lazyPage(() => import("./pages/admin/WorkspacesPage.tsx"), "WorkspacesPage")
})

const adminWorkspace = createRoute({
  getParentRoute: () => root,
  path: "/admin/workspaces/$workspaceId",
  component: lazyPage(() => import("./pages/admin/WorkspacePage.tsx"), "WorkspacePage")
})

const adminSecrets = createRoute({
  getParentRoute: () => root,
  path: "/admin/secrets",
  component: lazyPage(() => import("./pages/admin/SecretsPage.tsx"), "SecretsPage")
})

const adminMail = createRoute({
  getParentRoute: () => root,
  path: "/admin/mail",
  component: lazyPage(() => import("./pages/admin/MailAccountsPage.tsx"), "MailAccountsPage")
})

const adminProviders = createRoute({
  getParentRoute: () => root,
  path: "/admin/providers",
  component: lazyPage(() => import("./pages/admin/ProvidersPage.tsx"), "ProvidersPage")
})

const adminUsage = createRoute({
  getParentRoute: () => root,
  path: "/admin/usage",
  component: lazyPage(() => import("./pages/admin/UsagePage.tsx"), "UsagePage")
})

const adminApps = createRoute({
  getParentRoute: () => root,
  path: "/admin/apps",
  component: lazyPage(() => import("./pages/admin/ConnectedAppsPage.tsx"), "ConnectedAppsPage")
})

const adminSignIn = createRoute({
  getParentRoute: () => root,
  path: "/admin/sign-in",
  component: lazyPage(() => import("./pages/admin/SignInPolicyPage.tsx"), "SignInPolicyPage")
})

const adminAudit = createRoute({
  getParentRoute: () => root,
  path: "/admin/audit",
  validateSearch: auditSearchIn,
  component: lazyPage(() => import("./pages/admin/AuditPage.tsx"), "AuditPage")
})

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyPage(() => import("./pages/account/AccountStartPage.tsx"), "AccountStartPage")
})

const accountTokens = createRoute({
  getParentRoute: () => root,
  path: "/account/tokens",
  component: lazyPage(() => import("./pages/account/TokensPage.tsx"), "TokensPage")
})

const accountSignIn = createRoute({
  getParentRoute: () => root,
  path: "/account/sign-in",
  component: lazyPage(() => import("./pages/account/SignInPage.tsx"), "SignInPage")
})

const accountApps = createRoute({
  getParentRoute: () => root,
  path: "/account/apps",
  component: lazyPage(() => import("./pages/account/OwnAppsPage.tsx"), "OwnAppsPage")
})

const accountSessions = createRoute({
  getParentRoute: () => root,
  path: "/account/sessions",
  component: lazyPage(() => import("./pages/account/SessionsPage.tsx"), "SessionsPage")
})

const newAutomation = createRoute({
  getParentRoute: () => root,
  path: "/automations/new",
  component: lazyPage(() => import("./pages/automations/editor/NewAutomationPage.tsx"), "NewAutomationPage")
})

/** Run whose data the editor shows, and the step that it selects. */
const editorSearch = ({ run, step }: Record<string, unknown>): { readonly run?: string; readonly step?: string } =>
  /^[1-9]\d{0,17}$/.test(String(run)) ? { run: String(run), ...(step === undefined ? {} : { step: String(step) }) } : {}

const automationEditor = createRoute({
  getParentRoute: () => root,
  path: "/automations/$automationId/edit",
  validateSearch: editorSearch,
  component: lazyPage(() => import("./pages/automations/editor/EditorPage.tsx"), "EditorPage")
})

export const router = createRouter({
  routeTree: root.addChildren([
    admin,
    adminMembers,
    adminWorkspaces,
    adminWorkspace,
    adminSecrets,
    adminMail,
    adminProviders,
    adminUsage,
    adminApps,
    adminSignIn,
    adminAudit,
    account,
    accountTokens,
    accountSignIn,
    accountApps,
    accountSessions,
    automations,
    automation,
    automationImport,
    revisions,
    newAutomation,
    automationEditor,
    start,
    apps,
    newApp,
    app,
    appSettings,
    newRecord,
    viewForm,
    importRecords,
    trash,
    record,
    runs,
    run,
    webhooks,
    newWebhook,
    webhook
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error, reset }) => <BrokenPage error={error} reset={reset} />,
  defaultNotFoundComponent: NotFoundPage
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
