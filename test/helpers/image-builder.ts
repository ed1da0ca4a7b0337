/** Builds the image of docs/examples/container: with Docker where its daemon answers, otherwise with buildah. */
import type { BuiltImage } from './built-image.ts';
import { BuildahImage, installBuildah, noBuildah } from './buildah-image.ts';
import { DockerImage, hasDaemon } from './docker-image.ts';

/** Installs what the builder needs. For the setup of a project, not for test files. */
export function setup(): void {
  if (!hasDaemon()) installBuildah();
}

/** Why no image can be built here; undefined if it can. */
export function noBuilder(): string | undefined {
  return hasDaemon() ? undefined : noBuildah();
}

/** Takes minutes. */
export function buildImage(dockerfile: string, context: string): BuiltImage {
  return hasDaemon() ? new DockerImage(dockerfile, context) : new BuildahImage(dockerfile, context);
}
