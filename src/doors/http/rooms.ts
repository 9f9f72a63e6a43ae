// Which rooms answer: one line each. `handlers` serve the groups of Api.ts, `pages` add plain routes of their own.
import { Layer } from "effect"
import { AccountsHandlers, WorkspacesHandlers } from "../../api/accounts/handlers.ts"
import { AutomationMetaHandlers, AutomationSchemaPage, AutomationsHandlers } from "../../api/automations/handlers.ts"
import { RunsHandlers } from "../../api/automations/runs/handlers.ts"
import { BatchHandlers } from "../../api/records/batch/handlers.ts"
import { CommentsHandlers } from "../../api/records/comments/handlers.ts"
import { FileContentRoute } from "../../api/records/files/content.ts"
import { FilesHandlers } from "../../api/records/files/handlers.ts"
import { AppsHandlers, RecordsHandlers } from "../../api/records/handlers.ts"
import { ListingsHandlers } from "../../api/records/listing/handlers.ts"
import { ViewsHandlers } from "../../api/records/views/handlers.ts"
import { WebhooksHandlers } from "../../api/webhooks/handlers.ts"
import { CatchRoutes } from "../inbound/routes.ts"
import { OAuthRoutes } from "../oauth/routes.ts"
import { PageRoutes } from "../pages/routes.ts"
import { WeblinkRoutes } from "../weblinks/routes.ts"

export const handlers = Layer.mergeAll(
  AccountsHandlers,
  WorkspacesHandlers,
  AppsHandlers,
  RecordsHandlers,
  CommentsHandlers,
  FilesHandlers,
  ViewsHandlers,
  ListingsHandlers,
  BatchHandlers,
  WebhooksHandlers,
  AutomationsHandlers,
  AutomationMetaHandlers,
  RunsHandlers
)

export const pages = Layer.mergeAll(
  OAuthRoutes,
  FileContentRoute,
  AutomationSchemaPage,
  CatchRoutes,
  WeblinkRoutes,
  PageRoutes
)
