// Program of the thread that composes large mails (decisions P8).
import { serve } from "../primitives/workerThreadJobs.ts"
import { composed } from "./composed.ts"

serve(composed)
