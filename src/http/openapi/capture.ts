/** What the hooks of coding agents tell, and what they are told. */
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  CaptureRequest,
  CaptureReviewRequest,
  CaptureSessionsRequest,
  CaptureStatsRequest,
  CaptureUndoRequest,
  ContextRequest,
} from '../../memory/operations/capture-operations.ts';
import { FormQuery, gets, posts, repeatable } from './answers.ts';

export const capturePaths: ZodOpenApiPathsObject = {
  '/api/capture': { post: repeatable(posts(CaptureRequest, 'capture', 'An event of a hook', 'Whether it waits to be looked at.')) },
  '/api/capture/stats': {
    get: gets(CaptureStatsRequest.extend(FormQuery.shape), 'captureStats', 'What was kept of hooks and what was refused', 'The counts.'),
  },
  '/api/capture/sessions': {
    get: gets(CaptureSessionsRequest.extend(FormQuery.shape), 'captureSessions', 'Sessions that told of something', 'Latest first.'),
  },
  '/api/capture/undo': {
    post: repeatable(posts(CaptureUndoRequest, 'captureUndo', 'Take back what a session captured', 'What went, or would go.')),
  },
  '/api/capture/review': {
    post: repeatable(posts(CaptureReviewRequest, 'captureReview', 'Keep or drop what was captured', 'What was decided.')),
  },
  '/api/context': {
    post: posts(ContextRequest, 'context', 'What is worth knowing before a prompt', 'Relevant, each thing once, newest decisions first.'),
  },
};
