import { z } from "zod";
import { line, reason } from "../validation.ts";
import { altMaximum } from "./bounds.ts";

/** The description of an image. */
export const altSchema = z.object({ alt: line("alt", 0, altMaximum) });

/** An administrator's removal of an image. */
export const imageRemovalSchema = z.object({ why: reason });
