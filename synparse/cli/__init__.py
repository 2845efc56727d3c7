"""One file per command: arguments in, one call to the library, output. `synparse.cli.app` puts them together."""
